import { describe, expect, test } from "@jest/globals";
import { parseStatisticsQuery, sumByInterval } from "../../../services/delivery/history/statistics.rules.ts";

const NOW = Date.parse("2026-05-10T10:20:30.000Z");
const ask = (query: Record<string, unknown>) => {
  try {
    const { interval, from, before } = parseStatisticsQuery(query, NOW);
    return [interval, from.toISOString().slice(0, 16), before.toISOString().slice(0, 16)];
  } catch (error) {
    return (error as { type: string }).type;
  }
};

describe("parseStatisticsQuery", () => {
  test.each([
    [{}, ["hour", "2026-05-09T10:00", "2026-05-10T11:00"]],
    [{ interval: "day" }, ["day", "2026-04-10T00:00", "2026-05-11T00:00"]],
    [{ from: "2026-05-10T08:59:59Z" }, ["hour", "2026-05-10T08:00", "2026-05-10T11:00"]],
    [
      { from: "2026-05-01T05:00:00Z", to: "2026-05-01T06:00:00Z" },
      ["hour", "2026-05-01T05:00", "2026-05-01T07:00"],
    ],
    [{ to: "2026-05-01T05:59:59.999Z" }, ["hour", "2026-04-30T05:00", "2026-05-01T06:00"]],
    [{ from: "2026-05-11T00:00:00Z" }, ["hour", "2026-05-11T00:00", "2026-05-11T02:00"]],
    [{ from: "2026-05-03T10:20:30Z" }, ["hour", "2026-05-03T10:00", "2026-05-10T11:00"]],
    [{ from: "2026-05-03T10:20:29Z" }, "Webhook.RangeTooWide"],
    [{ interval: "day", from: "2026-02-09T10:20:30Z" }, ["day", "2026-02-09T00:00", "2026-05-11T00:00"]],
    [{ interval: "day", from: "2026-02-09T10:20:29Z" }, "Webhook.RangeTooWide"],
    [{ from: "2026-05-02", to: "2026-05-01" }, "Webhook.RangeInvalid"],
    [{ from: "soon" }, "Webhook.RangeInvalid"],
    [{ interval: "minute" }, "ValidationControl.Error"],
    [{ interval: { $gt: "" } }, "ValidationControl.Error"],
  ])("%j: %j", (query, expected) => {
    expect(ask(query)).toEqual(expected);
  });
});

test("a range that is too wide is refused at its beginning", () => {
  expect(() => parseStatisticsQuery({ from: "2026-01-01" }, NOW)).toThrow(
    expect.objectContaining({ data: { details: [expect.objectContaining({ field: "from" })] } }),
  );
});

describe("sumByInterval", () => {
  const range = {
    interval: "hour",
    from: new Date("2026-05-10T08:00:00.000Z"),
    before: new Date("2026-05-10T11:00:00.000Z"),
  } as const;
  const at = (hour: number) => new Date(Date.UTC(2026, 4, 10, hour));

  test("adds up what is counted in several places; intervals without any are there too", () => {
    const counted = [
      { at: at(8), status: "Delivered", count: 3 },
      { at: at(8), status: "Delivered", count: 4 },
      { at: at(10), status: "Pending", count: 1 },
      { at: at(10), status: "Exhausted", count: 2 },
    ] as const;
    expect(sumByInterval(range, counted)).toEqual([
      { at: at(8).toISOString(), pending: 0, delivered: 7, exhausted: 0 },
      { at: at(9).toISOString(), pending: 0, delivered: 0, exhausted: 0 },
      { at: at(10).toISOString(), pending: 1, delivered: 0, exhausted: 2 },
    ]);
  });

  test("counts outside the range are left out", () => {
    const buckets = sumByInterval(range, [{ at: at(11), status: "Pending", count: 1 }]);
    expect(buckets.map(({ pending }) => pending)).toEqual([0, 0, 0]);
  });
});
