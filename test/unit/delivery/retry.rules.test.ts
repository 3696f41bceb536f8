import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { afterAttempt, firstDelayMs, retryDelayMs } from "../../../services/delivery/records/retry.rules.ts";
import { SETTINGS } from "../../../shared/config/config.ts";

const parsed = SETTINGS.retrySchedule.parse(SETTINGS.retrySchedule.default ?? "");
const schedule = "value" in parsed ? parsed.value : [];

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("the default schedule", () => {
  test.each([
    [1, 30 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 3 * HOUR],
    [5, 10 * HOUR],
    [6, 22 * HOUR],
    [7, 36 * HOUR],
  ])("after %i failed attempts: waits %i ms, without jitter", (failed, wait) => {
    expect(retryDelayMs(schedule, failed, 0)).toBe(wait);
  });

  test.each([
    [schedule, 0],
    [[5, 30], 5_000],
    [[], 0],
  ])("of the schedule %j the first attempt waits %i ms", (waits, expected) => {
    expect(firstDelayMs(waits)).toBe(expected);
  });

  test("after eight failed attempts: no more", () => {
    expect(retryDelayMs(schedule, 8, 0.5)).toBeNull();
  });

  test("lasts 71 h 35 min 30 s in all", () => {
    const sum = schedule.reduce((all, _, failed) => all + (retryDelayMs(schedule, failed, 0) ?? 0), 0);
    expect(sum).toBe(71 * HOUR + 35 * MINUTE + 30 * SECOND);
  });
});

describe("jitter", () => {
  test("adds up to a tenth", () => {
    expect(retryDelayMs(schedule, 1, 1)).toBe(33 * SECOND);
  });

  test("adds at most 15 minutes", () => {
    expect(retryDelayMs(schedule, 7, 1)).toBe(36 * HOUR + 15 * MINUTE);
    expect(retryDelayMs(schedule, 4, 1)).toBe(3 * HOUR + 15 * MINUTE);
  });

  test("never shortens a wait, never adds more than its bound", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 7 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (failed, random) => {
          const plain = retryDelayMs(schedule, failed, 0) ?? 0;
          const spread = retryDelayMs(schedule, failed, random) ?? 0;
          expect(spread).toBeGreaterThanOrEqual(plain);
          expect(spread).toBeLessThanOrEqual(plain + Math.min(plain / 10, 15 * MINUTE) + 1);
        },
      ),
    );
  });
});

describe("afterAttempt", () => {
  const finished = { ok: false, attemptNo: 1, finishedAt: 1_000_000, pausedUntil: null };

  const AT = finished.finishedAt;

  test.each([
    ["a success: Delivered", { ok: true }, { status: "Delivered" }],
    ["a failure: Pending, the wait counted from it", {}, { status: "Pending", nextAttemptAt: AT + 30_000 }],
    ["the eighth failure: Exhausted", { attemptNo: 8 }, { status: "Exhausted" }],
    [
      "a pause that ends later",
      { pausedUntil: AT + 50_000 },
      { status: "Pending", nextAttemptAt: AT + 50_000 },
    ],
    ["a pause that ends before", { pausedUntil: AT + 1 }, { status: "Pending", nextAttemptAt: AT + 30_000 }],
  ])("%s", (_, change, next) => {
    expect(afterAttempt({ ...finished, ...change }, schedule, 0)).toEqual(next);
  });
});
