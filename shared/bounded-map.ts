/** A Map that forgets its oldest entry when it is full; setting a key again makes it the newest. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#maxSize) {
      const [oldest] = this.keys();
      this.delete(oldest as K);
    }
    return this;
  }
}
