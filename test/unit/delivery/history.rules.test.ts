import { describe, expect, test } from "@jest/globals";
import { parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";

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
    expect(query).toMatchObject({ page: 1, pageSize: 50, from: null, to: null });
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
      page: 3,
      pageSize: 10,
    });
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

  test("an event type nobody knows: nothing can match", () => {
    expect(parseHistoryQuery({ eventType: "no.such.type" }).eventTypes).toEqual([]);
    expect(parseHistoryQuery({ eventType: { $ne: null } }).eventTypes).toEqual([]);
  });

  test.each([
    [{ status: "pending" }, "Webhook.StatusUnknown"],
    [{ status: "Failed" }, "Webhook.StatusUnknown"],
    [{ status: { $ne: "Pending" } }, "Webhook.StatusUnknown"],
    [{ status: ["Pending", "Delivered"] }, "Webhook.StatusUnknown"],
    [{ page: "0" }, "ValidationControl.Error"],
    [{ page: "-1" }, "ValidationControl.Error"],
    [{ page: "1.5" }, "ValidationControl.Error"],
    [{ page: "abc" }, "ValidationControl.Error"],
    [{ page: ["1"] }, "ValidationControl.Error"],
    [{ page: "99999999999999999" }, "ValidationControl.Error"],
    [{ pageSize: "0" }, "ValidationControl.Error"],
    [{ pageSize: "ten" }, "ValidationControl.Error"],
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
