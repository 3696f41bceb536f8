/** A Map that forgets its oldest entry when it is full; setting a key again makes it the newest. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #maxSize: number;
  /** Goes on where it stopped: one from the beginning would walk over everything deleted since the map was last rebuilt. */
  readonly #oldestFirst = this.keys();

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#maxSize) this.delete(this.#oldestFirst.next().value as K);
    return this;
  }
}
