import { describe, expect, test } from "@jest/globals";
import { QueryReader } from "../../../shared/input/query-reader.ts";

const details = (read: (reader: QueryReader) => unknown, query: Record<string, unknown>): unknown => {
  const reader = new QueryReader(query);
  read(reader);
  try {
    return reader.finish("fine");
  } catch (error) {
    return (error as { data: { details: { field: string }[] } }).data.details.map(({ field }) => field);
  }
};

describe("QueryReader", () => {
  test("absent and empty values are null, and take their fallback", () => {
    const reader = new QueryReader({ name: "", page: "" });
    expect([reader.text("name"), reader.text("other"), reader.oneOf("kind", ["a"])]).toEqual([
      null,
      null,
      null,
    ]);
    expect(reader.integer("page", 7, 10)).toBe(7);
    expect(reader.flag("only")).toBe(false);
    expect(reader.range("from", "to")).toEqual({ from: null, to: null });
    expect(reader.finish("fine")).toBe("fine");
  });

  test.each<[string, unknown]>([
    ["a list", ["a", "b"]],
    ["an object", { a: 1 }],
    ["a NUL", "a\0b"],
    ["too long", "a".repeat(256)],
  ])("text that is %s: refused", (_, value) => {
    expect(details((reader) => reader.text("name"), { name: value })).toEqual(["name"]);
  });

  test.each(["0", "-1", "1.5", "11", "1e1", "abc", "9999999999"])("the number %s: refused", (value) => {
    expect(details((reader) => reader.integer("page", 1, 10), { page: value })).toEqual(["page"]);
  });

  test("a day as the end of a range means the whole day", () => {
    const reader = new QueryReader({ from: "2026-01-02", to: "2026-01-03" });
    expect(reader.range("from", "to")).toEqual({
      from: "2026-01-02T00:00:00.000Z",
      to: "2026-01-03T23:59:59.999Z",
    });
  });

  test.each(["2026-02-30", "yesterday", "1969-12-31"])("the time %s: refused", (value) => {
    expect(details((reader) => reader.range("from", "to"), { from: value })).toEqual(["from"]);
  });

  test("a single time: a day is its first moment, and 1969 is a time too", () => {
    const reader = new QueryReader({ from: "2026-01-02", to: "1969-12-31T23:00:00Z" });
    expect([reader.time("from"), reader.time("to"), reader.time("other")]).toEqual([
      new Date("2026-01-02T00:00:00.000Z"),
      new Date("1969-12-31T23:00:00.000Z"),
      null,
    ]);
  });

  test.each<[unknown]>([["x"], [["2026-01-01"]], [{ $gt: "" }]])(
    "the code given to a time or a choice is that of every refusal: %j",
    (value) => {
      const reader = new QueryReader({ value });
      reader.time("value", "Webhook.RangeInvalid");
      expect(() => reader.finish(null)).toThrow(expect.objectContaining({ type: "Webhook.RangeInvalid" }));
      const other = new QueryReader({ value });
      other.oneOf("value", ["a"], "Webhook.StatusUnknown");
      expect(() => other.finish(null)).toThrow(expect.objectContaining({ type: "Webhook.StatusUnknown" }));
    },
  );

  test("everything that is wrong is named at once; the code is the first one's", () => {
    const reader = new QueryReader({ status: "x", page: "0" });
    reader.oneOf("status", ["Pending"], "Webhook.StatusUnknown");
    reader.integer("page", 1, 10);
    expect(() => reader.finish(null)).toThrow(
      expect.objectContaining({
        type: "Webhook.StatusUnknown",
        data: {
          details: [expect.objectContaining({ field: "status" }), expect.objectContaining({ field: "page" })],
        },
      }),
    );
  });
});
