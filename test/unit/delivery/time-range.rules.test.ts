import { describe, expect, test } from "@jest/globals";
import { parseRange, parseTime } from "../../../services/delivery/time-range.rules.ts";

describe("parseTime", () => {
  test.each([
    ["2026-01-31T12:00:00.000Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00Z", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00", "2026-01-31T12:00:00.000Z"],
    ["2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00 02:00", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T12:00:00-0130", "2026-01-31T13:30:00.000Z"],
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
  ])("%s is %s", (text, time) => {
    expect(parseTime(text)?.toISOString()).toBe(time);
  });

  test.each([
    "",
    "yesterday",
    "1",
    "2026",
    "31.01.2026",
    "2026-13-01",
    "2026-01-31T25:00:00Z",
    5,
    {},
    ["2026-01-31"],
    null,
  ])("%p is no time", (value) => {
    expect(parseTime(value)).toBeNull();
  });
});

describe("parseRange", () => {
  const code = (from: unknown, to: unknown): unknown => {
    try {
      return parseRange(from, to);
    } catch (error) {
      return (error as { type: string }).type;
    }
  };

  test("either end may be left out", () => {
    expect(parseRange(undefined, undefined)).toEqual({ from: null, to: null });
    expect(parseRange("2026-01-01", "")).toEqual({ from: new Date("2026-01-01"), to: null });
  });

  test.each([
    ["2026-01-02", "2026-01-01"],
    ["2026-01-01", "2026-01-01"],
    ["x", "2026-01-01"],
    ["2026-01-01", { $gt: "" }],
    [["2026-01-01"], undefined],
  ])("%p to %p: Webhook.RangeInvalid", (from, to) => {
    expect(code(from, to)).toBe("Webhook.RangeInvalid");
  });
});
