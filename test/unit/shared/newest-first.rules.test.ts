import { describe, expect, test } from "@jest/globals";
import { readNewestFirst } from "../../../shared/input/newest-first.rules.ts";
import { QueryReader } from "../../../shared/input/query-reader.ts";

const ID = "0190A5D4-7C1E-7B3A-9D8E-5F2C1A6B4D3E";

describe("readNewestFirst", () => {
  const read = (query: Record<string, unknown>) => {
    const reader = new QueryReader(query);
    return reader.finish(readNewestFirst(reader));
  };

  test("begins at the newest, or after the entry that a cursor names", () => {
    expect(read({})).toEqual({ beforeId: null, limit: 50 });
    expect(read({ cursor: "" })).toEqual({ beforeId: null, limit: 50 });
    expect(read({ cursor: ID, pageSize: "7" })).toEqual({ beforeId: ID.toLowerCase(), limit: 7 });
  });

  test.each([{ cursor: "~" }, { cursor: [ID, ID] }, { pageSize: "0" }, { pageSize: "201" }])("%j", (query) =>
    expect(() => read(query)).toThrow(/^(cursor|pageSize): /),
  );
});
