import { describe, expect, test } from "@jest/globals";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { type Query, QueryReader } from "../../../shared/input/query-reader.ts";
import { readPaging } from "../../../shared/input/time-pages.rules.ts";

const ID = "0199f2c4-7a10-7000-8000-000000000002";
const last = { at: new Date("2026-01-02T03:04:05.678Z"), id: ID };
const encoded = (text: string) => Buffer.from(text).toString("base64url");

function read(query: Query) {
  const reader = new QueryReader(query);
  return reader.finish(readPaging(query, reader));
}

describe("readPaging", () => {
  test("by number unless a cursor is given; an empty one begins", () => {
    expect(read({})).toEqual({ kind: "page", page: 1 });
    expect(read({ page: "3" })).toEqual({ kind: "page", page: 3 });
    expect(read({ cursor: "", page: "3" })).toEqual({ kind: "cursor", after: null });
  });

  test("a cursor leads back to the entry it was made of", () => {
    expect(read({ cursor: encodeCursor(last.at.getTime(), last.id) })).toEqual({
      kind: "cursor",
      after: last,
    });
  });

  test.each(["x", encoded(`soon ${ID}`), encoded(`1234567890123456 ${ID}`)])("cursor=%j: refused", (cursor) =>
    expect(() => read({ cursor })).toThrow("cursor: is not a cursor of this list"),
  );
});
