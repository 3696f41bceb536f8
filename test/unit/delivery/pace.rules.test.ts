import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { averageDuration, expectDuration, paceFor } from "../../../services/delivery/endpoint/pace.rules.ts";

const idle = { inFlight: 0, maxInFlight: 100, activeEndpoints: 1 };

describe("paceFor", () => {
  test.each([
    ["alone: half of the process, up to its own bound", 100, 64, idle, { concurrency: 50, queue: 500 }],
    ["its own bound is lower", 100, 8, idle, { concurrency: 8, queue: 80 }],
    ["nobody is active", 100, 64, { ...idle, activeEndpoints: 0 }, { concurrency: 50, queue: 500 }],
    ["one of ten", 100, 64, { ...idle, activeEndpoints: 10 }, { concurrency: 5, queue: 50 }],
    [
      "one of a thousand: two all the same",
      100,
      64,
      { ...idle, activeEndpoints: 1_000 },
      { concurrency: 2, queue: 20 },
    ],
    [
      "its own bound of one is kept",
      100,
      1,
      { ...idle, activeEndpoints: 1_000 },
      { concurrency: 1, queue: 10 },
    ],
    ["fast: the queue has an end", 1, 64, idle, { concurrency: 50, queue: 512 }],
    ["no time at all", 0, 64, idle, { concurrency: 50, queue: 512 }],
    ["fast, and one at a time", 1, 1, idle, { concurrency: 1, queue: 512 }],
    ["as long as the queue may take", 1_001, 1, idle, { concurrency: 1, queue: 0 }],
    ["slow: nobody waits longer than a second", 1_999, 64, idle, { concurrency: 50, queue: 25 }],
    ["hangs, the process has room", 2_000, 64, { ...idle, inFlight: 74 }, { concurrency: 50, queue: 25 }],
    ["hangs, three quarters are taken", 2_000, 64, { ...idle, inFlight: 75 }, { concurrency: 0, queue: 0 }],
    [
      "does not hang, three quarters are taken",
      1_999,
      64,
      { ...idle, inFlight: 75 },
      { concurrency: 50, queue: 25 },
    ],
  ])("%s", (_name, expectedMs, most, load, pace) => expect(paceFor(expectedMs, most, load)).toEqual(pace));

  test("never above the endpoint's own bound, never a negative number", () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 100 }),
        fc.nat(1_000),
        fc.nat(100),
        (ms, most, active, busy) => {
          const { concurrency, queue } = paceFor(ms, most, {
            inFlight: busy,
            maxInFlight: 100,
            activeEndpoints: active,
          });
          expect(concurrency).toBeLessThanOrEqual(most);
          expect(Math.min(concurrency, queue)).toBeGreaterThanOrEqual(0);
          expect(queue).toBeLessThanOrEqual(512);
        },
      ),
    );
  });
});

test.each([
  ["nothing known", null, 0, 100],
  ["an average", 40, 1_999, 40],
  ["one that hangs", 40, 2_000, 2_000],
  ["one that hangs less long than usual", 5_000, 2_000, 5_000],
])("expectDuration, %s", (_name, average, oldestMs, expected) => {
  expect(expectDuration(average, oldestMs)).toBe(expected);
});

test.each([
  ["the first", null, 70, 70],
  ["a faster one counts for half", 100, 50, 75],
  ["a slower one for a twentieth", 100, 200, 105],
  ["the same", 100, 100, 100],
])("averageDuration, %s", (_name, average, latest, expected) => {
  expect(averageDuration(average, latest)).toBe(expected);
});
