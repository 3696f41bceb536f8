import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { BoundedMap } from "../../../shared/bounded-map.ts";

test("keeps the newest; setting a key again makes it the newest", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  expect([...map]).toEqual([
    ["a", 3],
    ["c", 4],
  ]);
});

test("never holds more than its bound, and what it holds was set last", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.integer({ min: 1, max: 5 }), (keys, max) => {
      const map = new BoundedMap<number, number>(max);
      for (const [at, key] of keys.entries()) map.set(key, at);
      const newest = [...new Set(keys.toReversed())].slice(0, max);
      expect([...map.keys()].toReversed()).toEqual(newest);
    }),
  );
});
