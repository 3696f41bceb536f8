import { expect, test } from "@jest/globals";
import { randomPool } from "../../../shared/sealing/random-pool.ts";

test("every value has its size and comes once, also after the pool was filled anew", () => {
  const next = randomPool(12);
  const values = Array.from({ length: 1_000 }, () => next().toString("hex"));
  expect(new Set(values).size).toBe(1_000);
  expect(new Set(values.map(({ length }) => length))).toEqual(new Set([24]));
});

test("a value that is cleared after use clears no other", () => {
  const next = randomPool(32);
  next().fill(0);
  for (let taken = 0; taken < 600; taken += 1) {
    const value = next();
    expect(value.equals(Buffer.alloc(32))).toBe(false);
    value.fill(0);
  }
});
