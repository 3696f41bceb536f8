import { describe, expect, test } from "@jest/globals";
import { EVERY_CASE, readCaseListQuery } from "../../../services/profile/review/case-filter.rules.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";

const ID = "0190A5D4-7C1E-7B3A-9D8E-5F2C1A6B4D3E";
const read = (query: Record<string, unknown>) => readCaseListQuery(query, "analyst-1");

describe("readCaseListQuery", () => {
  test("nothing asked: every live case, oldest first, the first page", () =>
    expect(read({})).toEqual({
      filter: EVERY_CASE,
      search: null,
      order: 1,
      paging: { kind: "page", page: 1 },
      pageSize: 50,
    }));

  test.each<[Record<string, string>, object]>([
    [{ mine: "true" }, { analystId: "analyst-1", analystEmail: null }],
    [{ claimedBy: "me" }, { analystId: "analyst-1", analystEmail: null }],
    [{ claimedBy: "Ada@operator.test" }, { analystId: null, analystEmail: "ada@operator.test" }],
    [{ country: "NGA" }, { incorporationCountryIso3Code: "NGA" }],
    [
      { reviewStage: "Closed", verificationStatus: "Approved" },
      { reviewStage: "Closed", verificationStatus: "Approved" },
    ],
    [{ test: "true" }, { isTest: true }],
  ])("%j: a filter", (query, filter) => expect(read(query).filter).toMatchObject(filter));

  test.each<[string, object | null]>([
    [ID, { customerId: ID.toLowerCase() }],
    ["  Ålesund FISK ", { namePrefix: "ålesund fisk", reference: "Ålesund FISK" }],
    ["ref-1", { namePrefix: "ref-1", reference: "ref-1" }],
    ["   ", null],
  ])("search=%j", (search, wanted) => expect(read({ search }).search).toEqual(wanted));

  test("sort: by age, and not with a search, which has its own order", () => {
    expect(read({ sort: "newest" }).order).toBe(-1);
    expect(read({ sort: "oldest", page: "3", pageSize: "7" })).toMatchObject({
      order: 1,
      paging: { kind: "page", page: 3 },
      pageSize: 7,
    });
    expect(() => read({ sort: "newest", search: "a" })).toThrow("sort: cannot be given with search");
    expect(() => read({ sort: "name" })).toThrow("sort: must be one of oldest, newest");
    expect(() => read({ search: ["a", "b"] })).toThrow("search: must be given once, as text");
  });

  test("cursor: empty for the first page, nextCursor for the next, and not with a search", () => {
    const last = { at: new Date("2026-01-02T03:04:05.678Z"), id: ID.toLowerCase() };
    expect(read({ cursor: "" }).paging).toEqual({ kind: "cursor", after: null });
    expect(read({ cursor: encodeCursor(last.at.getTime(), last.id), pageSize: "7" })).toMatchObject({
      paging: { kind: "cursor", after: last },
      pageSize: 7,
    });
    expect(() => read({ cursor: "", search: "a" })).toThrow("cursor: cannot be given with search");
  });
});
