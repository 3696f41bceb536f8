import { describe, expect, test } from "@jest/globals";
import { parseRange } from "../../../services/delivery/history/time-range.rules.ts";

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
