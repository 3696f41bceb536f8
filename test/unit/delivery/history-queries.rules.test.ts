import { describe, expect, test } from "@jest/globals";
import { ALL_EVENT_TYPES, parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import {
  historyIndex,
  historyQuery,
  pageQuery,
  within,
} from "../../../services/delivery/history/history-queries.rules.ts";

const ID = "4c0b094e-158a-49fa-ba52-582628efd2c7";
const EVER = { from: null, before: null };
const at = (second: number) => new Date(Date.UTC(2026, 4, 1, 0, 0, second));

describe("historyIndex", () => {
  test.each([
    [{}, "history"],
    [{ eventId: ID }, "history"],
    [{ errorKind: "Timeout" }, "failures"],
    [{ customerId: ID, errorKind: "Timeout" }, "customer"],
    [{ replaySeries: ID, customerId: ID }, "series"],
  ])("of %j: %s", (query, index) => {
    expect(historyIndex(parseHistoryQuery(query))).toBe(index);
  });
});

describe("historyQuery", () => {
  test("on the history's own index every leading field is named", () => {
    const query = historyQuery("p", parseHistoryQuery({ eventId: ID }), [false], EVER);
    expect(Object.keys(query)).toEqual(["partnerId", "counted", "status", "eventType", "eventId"]);
    expect(query).toMatchObject({
      partnerId: "p",
      counted: { $in: [false] },
      status: { $in: ["Pending", "Delivered", "Exhausted"] },
      eventType: { $in: ALL_EVENT_TYPES },
      eventId: ID,
    });
  });

  test("on another index a type is named only when it was asked for", () => {
    const fields = (query: Record<string, string>) =>
      Object.keys(historyQuery("p", parseHistoryQuery(query), [true], EVER));
    expect(fields({ customerId: ID })).toEqual(["partnerId", "status", "customerId"]);
    expect(fields({ replaySeries: ID, eventType: "webhook.test", errorKind: "Timeout" })).toEqual([
      "partnerId",
      "status",
      "eventType",
      "lastFailure",
      "replaySeries",
    ]);
    const failed = parseHistoryQuery({
      errorKind: "HttpStatus",
      responseClass: "5xx",
      eventType: "webhook.test",
    });
    expect(historyQuery("p", failed, [true], EVER)).toMatchObject({
      eventType: { $in: ["webhook.test"] },
      lastFailure: { $in: ["HttpStatus 5xx"] },
    });
  });
});

describe("pageQuery", () => {
  const occurred = (query: Record<string, string>, second: number | null) => {
    const after = second === null ? null : { at: at(second), id: "d" };
    return pageQuery("p", parseHistoryQuery(query), after);
  };

  test("from the start: the whole range, both ends of it", () => {
    expect(occurred({}, null)).not.toHaveProperty("occurredAt");
    expect(occurred({}, null)).toMatchObject({ counted: { $in: [true, false] } });
    const range = { from: at(1).toISOString(), to: at(9).toISOString() };
    expect(occurred(range, null)).toMatchObject({
      occurredAt: { $gte: at(1), $lt: new Date(at(9).getTime() + 1) },
    });
  });

  test.each([
    ["before the end of the range", 5, 5],
    ["behind the end of the range", 20, 9],
  ])("behind a position %s: what is earlier than both", (_name, position, end) => {
    const query = occurred({ to: at(9).toISOString() }, position);
    expect(query).toMatchObject({ occurredAt: { $lt: new Date(at(end).getTime() + 1) } });
    expect(query.$nor).toEqual([{ occurredAt: at(position), _id: { $gte: "d" } }]);
  });
});

test.each([
  [{ from: null, before: null }, {}],
  [{ from: at(1), before: null }, { at: { $gte: at(1) } }],
  [{ from: null, before: at(2) }, { at: { $lt: at(2) } }],
])("within %j", (span, query) => {
  expect(within("at", span)).toEqual(query);
});
