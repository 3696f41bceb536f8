import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { suggestReplay } from "../../../services/webhook-registry/suggest-replay.rules.ts";

const NOW = new Date("2026-03-01T00:00:00.000Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ago = (ms: number) => new Date(NOW.getTime() - ms);

describe("suggestReplay", () => {
  test("covers the whole time when it is short enough", () => {
    expect(suggestReplay(ago(2 * DAY_MS), NOW)).toEqual({
      from: "2026-02-27T00:00:00.000Z",
      to: "2026-03-01T00:00:00.000Z",
    });
  });

  test("a gap of more than seven days: the oldest seven", () => {
    expect(suggestReplay(ago(10 * DAY_MS), NOW)).toEqual({
      from: "2026-02-19T00:00:00.000Z",
      to: "2026-02-26T00:00:00.000Z",
    });
  });

  test("begins within the 30 days of retention, with an hour to read it", () => {
    expect(suggestReplay(ago(60 * DAY_MS), NOW).from).toBe(ago(30 * DAY_MS - HOUR_MS).toISOString());
  });

  test("a gap of no time: a millisecond, since a window must have a length", () => {
    expect(suggestReplay(NOW, NOW)).toEqual({ from: NOW.toISOString(), to: "2026-03-01T00:00:00.001Z" });
  });

  test("is always a window that the replay route accepts", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY_MS }), (length) => {
        const { from, to } = suggestReplay(ago(length), NOW);
        const span = Date.parse(to) - Date.parse(from);
        expect(span).toBeGreaterThan(0);
        expect(span).toBeLessThanOrEqual(7 * DAY_MS);
        expect(NOW.getTime() - Date.parse(from)).toBeLessThan(30 * DAY_MS);
      }),
    );
  });
});
