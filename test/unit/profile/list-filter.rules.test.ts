import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readListQuery } from "../../../services/profile/record/list-filter.rules.ts";
import { filterQuery } from "../../../services/profile/record/profile-queries.rules.ts";
import { orderedId } from "../../../shared/ids.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";
import { NO_FILTER } from "../../support/builders/list-filter.ts";

const ID = "019b76da-a800-7000-8000-00000000000e";

describe("readListQuery", () => {
  test.each<[Record<string, string>, object]>([
    [{}, {}],
    [{ verificationStatus: "Approved" }, { verificationStatus: "Approved" }],
    [{ reviewStage: "Closed" }, { reviewStage: "Closed" }],
    [{ partnerCustomerId: "cust 1" }, { partnerCustomerId: "cust 1" }],
    [{ registrationNumber: "RC1" }, { registrationNumber: "RC1" }],
    [{ incorporationCountryIso3Code: "NGA" }, { incorporationCountryIso3Code: "NGA" }],
    [{ industry: "Grants" }, { industry: "Grants" }],
    [{ businessTypeCode: "llc" }, { businessTypeCode: "LLC" }],
    [{ businessTypeCode: "unheard" }, { businessTypeCode: "unheard" }],
    [{ companyName: "ＨARBOUR" }, { companyNamePrefix: "harbour" }],
    [{ companyName: "", industry: "" }, {}],
  ])("%j: filters by %j", (query, filter) => {
    expect(readListQuery(query).filter).toEqual({ ...NO_FILTER, ...filter });
  });

  test.each([
    [{}, { kind: "page", page: 1, pageSize: 50 }],
    [{ cursor: "" }, { kind: "cursor", after: null, pageSize: 50 }],
    [
      { page: "7", pageSize: "200" },
      { kind: "page", page: 7, pageSize: 200 },
    ],
    [{ page: "1000000" }, { kind: "page", page: 1_000_000, pageSize: 50 }],
    [
      { cursor: encodeCursor(7, ID), pageSize: "1" },
      { kind: "cursor", after: { at: new Date(7), id: ID }, pageSize: 1 },
    ],
  ])("%j: the page %j", (query, page) => expect(readListQuery(query).page).toEqual(page));

  test.each([
    [{ page: "0" }, "page"],
    [{ pageSize: "201" }, "pageSize"],
    [{ cursor: "nonsense" }, "cursor"],
    [{ cursor: { $gt: "" } }, "cursor"],
    [{ verificationStatus: "Nope" }, "verificationStatus"],
    [{ verificationStatus: ["Approved", "Rejected"] }, "verificationStatus"],
    [{ reviewStage: "closed" }, "reviewStage"],
    [{ companyName: { $regex: ".*" } }, "companyName"],
    [{ partnerCustomerId: { $ne: null } }, "partnerCustomerId"],
    [{ registrationNumber: "a".repeat(256) }, "registrationNumber"],
    [{ industry: "a\0b" }, "industry"],
    [{ createdFrom: "yesterday" }, "createdFrom"],
    [{ updatedTo: "2020-02-31T00:00:00Zx" }, "updatedTo"],
    [{ createdTo: "2026-02-30" }, "createdTo"],
  ])("%j is refused with the path %s", (query, field) => {
    expect(() => readListQuery(query)).toThrow(
      expect.objectContaining({
        type: "ValidationControl.Error",
        data: { details: [expect.objectContaining({ field })] },
      }),
    );
  });

  test("a day means the whole day, a moment itself", () => {
    const { filter } = readListQuery({
      createdFrom: "2030-01-01",
      createdTo: "2030-01-31",
      updatedTo: "2030-01-31T10:00:00Z",
    });
    expect(filter.created).toEqual({ from: "2030-01-01T00:00:00.000Z", to: "2030-01-31T23:59:59.999Z" });
    expect(filter.updated).toEqual({ from: null, to: "2030-01-31T10:00:00.000Z" });
  });

  test("a moment without an offset is UTC, in every time zone of the server", () => {
    const { filter } = readListQuery({ updatedFrom: "2030-01-31T10:00:00" });
    const zone = process.env.TZ;
    process.env.TZ = "Asia/Tokyo";
    try {
      expect(readListQuery({ updatedFrom: "2030-01-31T10:00:00" }).filter).toEqual(filter);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
    expect(filter.updated.from).toBe("2030-01-31T10:00:00.000Z");
  });
});

test("a range of times holds exactly the ids made in it, both ends included", () => {
  const times = fc.integer({ min: 1, max: 4_000_000_000_000 });
  fc.assert(
    fc.property(times, fc.nat(1_000_000), (fromMs, lengthMs) => {
      const toMs = fromMs + lengthMs;
      const created = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
      const query = filterQuery("p1", { ...NO_FILTER, created }, null, "2030-01-01T00:00:00.000Z");
      const { $gte, $lt } = query._id as { $gte: string; $lt: string };
      const isIn = (ms: number) => orderedId(ms) >= $gte && orderedId(ms) < $lt;
      return isIn(fromMs) && isIn(toMs) && !isIn(fromMs - 1) && !isIn(toMs + 1);
    }),
  );
});
