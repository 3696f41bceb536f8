import { describe, expect, test } from "@jest/globals";
import {
  ALL_EVENT_TYPES,
  canMatch,
  parseHistoryQuery,
} from "../../../services/delivery/history/history.rules.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";

const code = (query: Record<string, unknown>): unknown => {
  try {
    return parseHistoryQuery(query);
  } catch (error) {
    return (error as { type: string }).type;
  }
};

describe("parseHistoryQuery", () => {
  test("nothing asked: the first fifty of everything", () => {
    const query = parseHistoryQuery({});
    expect(query).toMatchObject({ paging: { kind: "page", page: 1 }, pageSize: 50, from: null, to: null });
    expect(query).toMatchObject({ failures: null, eventId: null, customerId: null, replaySeries: null });
    expect(query.statuses).toEqual(["Pending", "Delivered", "Exhausted"]);
    expect(query.eventTypes).toContain("webhook.test");
  });

  test("filters", () => {
    const query = parseHistoryQuery({
      status: "Exhausted",
      eventType: "business.person.added",
      page: "3",
      pageSize: "10",
    });
    expect(query).toMatchObject({
      statuses: ["Exhausted"],
      eventTypes: ["business.person.added"],
      paging: { kind: "page", page: 3 },
      pageSize: 10,
    });
  });

  test("ids are compared in lower case", () => {
    const id = "0199F2C4-7A10-7000-8000-00000000000A";
    const query = parseHistoryQuery({ eventId: id, customerId: id, replaySeries: id });
    const lower = id.toLowerCase();
    expect(query).toMatchObject({ eventId: lower, customerId: lower, replaySeries: lower });
  });

  test("an answer of 2xx is a delivery that succeeded; every other answer and every kind is a failure", () => {
    expect(parseHistoryQuery({ responseClass: "2xx" })).toMatchObject({
      statuses: ["Delivered"],
      failures: null,
    });
    expect(parseHistoryQuery({ responseClass: "5xx", errorKind: "HttpStatus" })).toMatchObject({
      failures: ["HttpStatus 5xx"],
    });
    expect(parseHistoryQuery({ responseClass: "none" }).failures).toContain("Timeout none");
    expect(parseHistoryQuery({ errorKind: "Redirect" }).failures).toContain("Redirect 3xx");
  });

  test.each([
    [{ responseClass: "2xx", status: "Exhausted" }],
    [{ responseClass: "2xx", errorKind: "Tls" }],
    [{ eventType: "no.such.type" }],
    [{ eventType: { $ne: null } }],
  ])("%p: nothing can match", (query) => {
    expect(canMatch(parseHistoryQuery(query))).toBe(false);
  });

  test("a filter of one status and one type can match", () => {
    expect(canMatch(parseHistoryQuery({ status: "Pending", eventType: "webhook.test" }))).toBe(true);
  });

  test.each([undefined, null, ""])("the event type %p: every type", (eventType) => {
    expect(parseHistoryQuery({ eventType }).eventTypes).toEqual(ALL_EVENT_TYPES);
  });

  test("a range that ends before it begins: refused at its end", () => {
    expect(() => parseHistoryQuery({ from: "2026-01-02", to: "2026-01-01" })).toThrow(
      expect.objectContaining({ data: { details: [expect.objectContaining({ field: "to" })] } }),
    );
  });

  test("a cursor leads back to the delivery it was made of; an empty one begins", () => {
    const position = { at: new Date(1_767_225_600_000), id: "0199f2c4-7a10-7000-8000-000000000002" };
    const cursor = encodeCursor(position.at.getTime(), position.id);
    expect(parseHistoryQuery({ cursor, page: "7" }).paging).toEqual({ kind: "cursor", after: position });
    expect(parseHistoryQuery({ cursor: "" }).paging).toEqual({ kind: "cursor", after: null });
  });

  test("either end of the range may be left out; a day is its first moment", () => {
    const from = new Date("2026-01-01T00:00:00.000Z");
    expect(parseHistoryQuery({ from: "2026-01-01", to: "" })).toMatchObject({ from, to: null });
    expect(parseHistoryQuery({ to: "2026-01-01" })).toMatchObject({ from: null, to: from });
  });

  test("several things wrong: all are named, the code is that of the first", () => {
    expect(() => parseHistoryQuery({ status: "Lost", from: "x", page: "0" })).toThrow(
      expect.objectContaining({
        type: "Webhook.StatusUnknown",
        data: {
          details: ["status", "from", "page"].map((field) => expect.objectContaining({ field })),
        },
      }),
    );
  });

  test("more than 200 on a page: 200", () => {
    expect(parseHistoryQuery({ pageSize: "1000" }).pageSize).toBe(200);
    expect(parseHistoryQuery({ pageSize: "9000000000000000" }).pageSize).toBe(200);
  });

  test.each([
    [{ status: "pending" }, "Webhook.StatusUnknown"],
    [{ status: "Failed" }, "Webhook.StatusUnknown"],
    [{ status: { $ne: "Pending" } }, "Webhook.StatusUnknown"],
    [{ status: ["Pending", "Delivered"] }, "Webhook.StatusUnknown"],
    [{ page: "0" }, "ValidationControl.Error"],
    [{ eventId: "1" }, "ValidationControl.Error"],
    [{ customerId: { $gt: "" } }, "ValidationControl.Error"],
    [{ replaySeries: ["a", "b"] }, "ValidationControl.Error"],
    [{ responseClass: "6xx" }, "ValidationControl.Error"],
    [{ errorKind: "Bad" }, "ValidationControl.Error"],
    [{ cursor: "AAAA" }, "ValidationControl.Error"],
    [{ pageSize: "0" }, "ValidationControl.Error"],
    [{ from: "soon" }, "Webhook.RangeInvalid"],
    [{ from: "2026-01-02", to: "2026-01-01" }, "Webhook.RangeInvalid"],
    [{ from: "2026-01-01", to: "2026-01-01" }, "Webhook.RangeInvalid"],
    [{ from: "x", to: "2026-01-01" }, "Webhook.RangeInvalid"],
    [{ from: "2026-01-01", to: { $gt: "" } }, "Webhook.RangeInvalid"],
    [{ from: ["2026-01-01"] }, "Webhook.RangeInvalid"],
  ])("%p: %s", (query, expected) => {
    expect(code(query)).toBe(expected);
  });
});
