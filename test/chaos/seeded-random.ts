/** Randomness that can be had again: the same seed gives the same run. */
export type Random = {
  seed: number;
  next(): number;
  between(least: number, most: number): number;
  shuffle<T>(items: readonly T[]): T[];
};

/** mulberry32 */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    seed,
    next,
    between: (least, most) => least + Math.floor(next() * (most - least + 1)),
    shuffle(items) {
      const left = [...items];
      return items.map(() => left.splice(Math.floor(next() * left.length), 1)[0] as (typeof items)[number]);
    },
  };
}
