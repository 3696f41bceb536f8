import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { readListQuery } from "../../../services/profile/record/list-filter.rules.ts";
import { filterQuery, stateQuery } from "../../../services/profile/record/profile-queries.rules.ts";
import { lowestIdAt, orderedId } from "../../../shared/ids.ts";

describe("readListQuery", () => {
  test("without anything: the first page of 50", () => {
    expect(readListQuery({}).page).toEqual({ kind: "page", page: 1, pageSize: 50 });
  });

  test("an empty cursor begins a walk by cursors", () => {
    expect(readListQuery({ cursor: "" }).page).toEqual({ kind: "cursor", after: null, pageSize: 50 });
  });

  test.each([
    [{ page: "0" }, "page"],
    [{ page: "-1" }, "page"],
    [{ page: "1e3" }, "page"],
    [{ page: "x" }, "page"],
    [{ pageSize: "201" }, "pageSize"],
    [{ pageSize: "0" }, "pageSize"],
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
    [{ createdTo: "12345" }, "createdTo"],
    [{ createdTo: "2026-02-30" }, "createdTo"],
    [{ createdFrom: "2026-02-30T10:00:00Z" }, "createdFrom"],
  ])("%j is refused with the path %s", (query, field) => {
    expect(() => readListQuery(query)).toThrow(
      expect.objectContaining({
        type: "ValidationControl.Error",
        data: { details: [expect.objectContaining({ field })] },
      }),
    );
  });

  test("names every violation at once", () => {
    expect(() => readListQuery({ page: "0", pageSize: "0", reviewStage: "x" })).toThrow(
      expect.objectContaining({
        data: { details: [expect.anything(), expect.anything(), expect.anything()] },
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

  test("a moment without an offset is UTC, wherever the server stands", () => {
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

describe("queries", () => {
  const { filter } = readListQuery({});
  const now = "2030-01-01T00:00:00.000Z";

  test("begin with the partner, whatever else is asked", () => {
    expect(Object.keys(filterQuery("p1", filter, null, now))).toEqual(["partnerId"]);
  });

  test("a cursor and an end of the range: the lower of the two bounds", () => {
    const created = { from: null, to: "2030-01-01T00:00:00.000Z" };
    const end = lowestIdAt(Date.parse(created.to) + 1);
    const before = orderedId(Date.parse("2029-01-01T00:00:00Z"));
    const after = orderedId(Date.parse("2031-01-01T00:00:00Z"));
    expect(filterQuery("p1", { ...filter, created }, before, now)).toMatchObject({ _id: { $lt: before } });
    expect(filterQuery("p1", { ...filter, created }, after, now)).toMatchObject({ _id: { $lt: end } });
  });

  test("a range of times holds exactly the ids made in it, both ends included", () => {
    const times = fc.integer({ min: 1, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(times, fc.nat(1_000_000), (fromMs, lengthMs) => {
        const toMs = fromMs + lengthMs;
        const created = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
        const query = filterQuery("p1", { ...filter, created }, null, now);
        const { $gte, $lt } = query._id as { $gte: string; $lt: string };
        const isIn = (ms: number) => orderedId(ms) >= $gte && orderedId(ms) < $lt;
        return isIn(fromMs) && isIn(toMs) && !isIn(fromMs - 1) && !isIn(toMs + 1);
      }),
    );
  });

  test("a stage that a status cannot have finds nothing", () => {
    expect(stateQuery("Approved", "AwaitingPartner", now)).toEqual({
      verificationStatus: { $in: [] },
      reviewStage: { $in: ["AwaitingPartner"] },
    });
  });
});
