import { beforeAll, describe, expect, test } from "@jest/globals";
import { readListQuery } from "../../../services/profile/record/list-filter.rules.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import {
  type CaseFilter,
  caseIndex,
  caseQuery,
  casesBehind,
  filterQuery,
  searchQueries,
} from "../../../services/profile/record/profile-queries.rules.ts";
import { EVERY_CASE } from "../../../services/profile/review/case-filter.rules.ts";
import { orderedId, randomId } from "../../../shared/ids.ts";
import { aProfile, aReference, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { analyst, partner, startProfileStage, type Value } from "../../support/stage/profile-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startProfileStage);
const FIRST_DAY = Date.parse("2020-01-01T00:00:00Z");
const owner = partner(randomId());
const ids: string[] = [];

/** 60 customers, one an hour; enough others that a scan would show. */
beforeAll(async () => {
  const { customerId } = await stage.create(aProfile({ companyName: "Template" }), owner);
  const template = (await stage.stored(customerId)) as StoredProfile;
  await stage.collection.deleteOne({ _id: customerId });
  const copies = Array.from({ length: 60 }, (_, index) => copyOf(template, index, partnerIdOf(owner)));
  const others = Array.from({ length: 600 }, (_, index) => copyOf(template, index, randomId()));
  ids.push(...copies.map(({ _id }) => _id).toReversed());
  await stage.collection.insertMany([...copies, ...others]);
});

const partnerIdOf = (caller: typeof owner) => (caller.kind === "analyst" ? "" : caller.partnerId);

function copyOf(template: StoredProfile, index: number, partnerId: string): StoredProfile {
  const time = FIRST_DAY + index * 3_600_000;
  const companyName = index % 3 === 0 ? `Ålesund Fisk ${index}` : `Company ${index}`;
  return {
    ...template,
    _id: orderedId(time),
    partnerId,
    partnerCustomerId: aReference(),
    companyName,
    companyNameKey: companyName.normalize("NFKC").toLowerCase(),
    registrationNumber: `R${index % 10}`,
    incorporationCountryIso3Code: index % 2 === 0 ? "NGA" : "GHA",
    industry: index % 4 === 0 ? "Grants" : "TradingIncome",
    businessTypeCode: index % 5 === 0 ? "LLC" : "Trust",
    ...(index % 6 === 0 ? { verificationStatus: "Approved", reviewStage: "Closed" } : {}),
    createdAt: new Date(time).toISOString(),
    submittedAt: new Date(time).toISOString(),
    updatedAt: new Date(time + 60_000).toISOString(),
    outbox: [],
  } as StoredProfile;
}

const list = (query: Record<string, unknown> = {}, caller = owner) =>
  stage.get("profile.list", { query, caller });
const idsOf = (page: Value) => (page.items as Value[]).map(({ customerId }) => customerId as string);
const matching = (test: (index: number) => boolean) => ids.filter((_, at) => test(ids.length - 1 - at));

describe("pages", () => {
  test("newest first, with a total and a cursor to go on", async () => {
    const page = await list({ pageSize: "25" });
    expect(page).toMatchObject({ page: 1, pageSize: 25, total: 60, nextCursor: expect.any(String) });
    expect(idsOf(page)).toEqual(ids.slice(0, 25));
  });

  test("by number", async () => {
    const page = await list({ pageSize: "25", page: "3" });
    expect(page).toMatchObject({ page: 3, total: 60, nextCursor: null });
    expect(idsOf(page)).toEqual(ids.slice(50));
    expect(await list({ page: "9" })).toMatchObject({ items: [], total: 60, nextCursor: null });
  });

  test("by cursor: every customer once, also when one is added in the middle of the walk", async () => {
    const seen: string[] = [];
    let added = "";
    let cursor: string | null = "";
    while (cursor !== null) {
      const page: Value = await list({ pageSize: "7", cursor });
      expect(page).toMatchObject({ page: null, total: null, pageSize: 7 });
      seen.push(...idsOf(page));
      if (seen.length === 14) added = (await stage.create(aSmallProfile(), owner)).customerId;
      cursor = page.nextCursor as string | null;
    }
    expect(seen).toEqual(ids);
    expect(await stage.collection.deleteOne({ _id: added })).toMatchObject({ deletedCount: 1 });
  });

  test("an item leaves out people, documents and financials", async () => {
    const [item] = (await list({ pageSize: "1" })).items as Value[];
    expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(["businessPersonList"]));
    expect(item).not.toHaveProperty("documents");
    expect(item).not.toHaveProperty("financials");
    expect(item).not.toHaveProperty("audit");
    expect(item).toMatchObject({
      customerId: ids[0],
      companyName: "Company 59",
      addresses: [{}],
      version: 1,
    });
  });

  test("another partner sees none of them", async () => {
    expect(await list({}, partner(randomId()))).toMatchObject({ items: [], total: 0 });
  });
});

describe("filters", () => {
  test.each<[Record<string, string>, (index: number) => boolean]>([
    [{ registrationNumber: "R3" }, (index) => index % 10 === 3],
    [{ incorporationCountryIso3Code: "GHA" }, (index) => index % 2 === 1],
    [{ industry: "Grants" }, (index) => index % 4 === 0],
    [{ businessTypeCode: "llc" }, (index) => index % 5 === 0],
    [{ verificationStatus: "Approved" }, (index) => index % 6 === 0],
    [{ reviewStage: "Closed" }, (index) => index % 6 === 0],
    [{ verificationStatus: "PendingVerification", reviewStage: "Queued" }, (index) => index % 6 !== 0],
    [{ verificationStatus: "Rejected" }, () => false],
    [{ companyName: "åLESUND" }, (index) => index % 3 === 0],
    [{ companyName: "Company 1" }, (index) => index % 3 !== 0 && String(index).startsWith("1")],
    [{ companyName: "ompany" }, () => false],
    [{ companyName: ".*" }, () => false],
    [{ createdFrom: "2020-01-02" }, (index) => index >= 24],
    [{ createdTo: "2020-01-01" }, (index) => index < 24],
    [
      { createdFrom: "2020-01-01T05:00:00Z", createdTo: "2020-01-01T07:00:00Z" },
      (index) => index >= 5 && index <= 7,
    ],
    [{ updatedFrom: "2020-01-03T00:00:00Z" }, (index) => index >= 48],
    [{ updatedTo: "2020-01-01T01:01:00.000Z" }, (index) => index <= 1],
    [
      { industry: "Grants", incorporationCountryIso3Code: "NGA", companyName: "c" },
      (index) => index % 4 === 0 && index % 3 !== 0,
    ],
  ])("%j", async (query, test) => {
    const expected = matching(test);
    const page = await list({ ...query, pageSize: "200" });
    expect(idsOf(page)).toEqual(expected);
    // The totals of these two pages are counted. A page that shows the end needs no count.
    const [first, second] = [
      await list({ ...query, pageSize: "1" }),
      await list({ ...query, pageSize: "1", page: "2" }),
    ];
    expect([first.total, second.total]).toEqual([expected.length, expected.length]);
  });

  test("partnerCustomerId, exactly", async () => {
    const body = aSmallProfile();
    const { customerId } = await stage.create(body);
    const caller = partner(stage.partnerId);
    expect(idsOf(await list({ partnerCustomerId: body.partnerCustomerId as string }, caller))).toEqual([
      customerId,
    ]);
    expect(
      idsOf(await list({ partnerCustomerId: String(body.partnerCustomerId).toUpperCase() }, caller)),
    ).toEqual([]);
  });
});

describe("no query scans the collection", () => {
  const now = "2020-06-01T00:00:00.000Z";
  const explain = async (cursor: { explain(verbosity: string): Promise<unknown> }) => {
    const { queryPlanner, executionStats } = (await cursor.explain("executionStats")) as Value;
    const plan = JSON.stringify([queryPlanner.winningPlan, executionStats]);
    return {
      scans: plan.includes('"COLLSCAN"'),
      sorts: plan.includes('"SORT"'),
      examined: Number(/"totalDocsExamined":(\d+)/.exec(plan)?.[1]),
      keys: Number(/"totalKeysExamined":(\d+)/.exec(plan)?.[1]),
    };
  };

  const queries: Record<string, string>[] = [
    {},
    { verificationStatus: "Approved" },
    { reviewStage: "Queued" },
    { reviewStage: "Closed" },
    { partnerCustomerId: "x" },
    { registrationNumber: "R3" },
    { incorporationCountryIso3Code: "GHA" },
    { businessTypeCode: "LLC" },
    { industry: "Grants" },
    { companyName: "company 1" },
    { createdFrom: "2020-01-02", createdTo: "2020-01-03" },
    { updatedFrom: "2020-01-02", updatedTo: "2020-01-03" },
  ];

  test.each(queries.map((query) => [query]))(
    "list %j: no more documents looked at than the partner has",
    async (query) => {
      const { filter } = readListQuery(query);
      const plan = await explain(
        stage.collection
          .find(filterQuery(partnerIdOf(owner), filter, null, now) as never)
          .sort({ _id: -1 })
          .limit(51),
      );
      expect(plan).toMatchObject({ scans: false });
      expect(plan.examined).toBeLessThanOrEqual(60);
    },
  );

  test("the page after a cursor looks at one page of documents and keys", async () => {
    const { filter } = readListQuery({});
    const plan = await explain(
      stage.collection
        .find(filterQuery(partnerIdOf(owner), filter, ids[20] ?? null, now) as never)
        .sort({ _id: -1 })
        .limit(11),
    );
    expect(plan).toEqual({ scans: false, sorts: false, examined: 11, keys: 11 });
  });

  test("by id and by reference: one document is examined", async () => {
    const partnerId = partnerIdOf(owner);
    const { partnerCustomerId } = (await stage.stored(ids[5] ?? "")) as StoredProfile;
    expect(await explain(stage.collection.find({ partnerId, partnerCustomerId }))).toMatchObject({
      scans: false,
      examined: 1,
      keys: 1,
    });
    const plan = JSON.stringify(await stage.collection.find({ _id: ids[5] ?? "" }).explain("executionStats"));
    expect(plan).not.toContain('"COLLSCAN"');
  });

  const cases: Partial<CaseFilter>[] = [
    {},
    { isTest: true },
    { reviewStage: "Queued" },
    { reviewStage: "UnderReview" },
    { reviewStage: "AwaitingPartner" },
    { reviewStage: "Closed" },
    { verificationStatus: "Approved" },
    { analystId: "a1" },
    { analystEmail: "a1@operator.test" },
    { incorporationCountryIso3Code: "GHA" },
    { incorporationCountryIso3Code: "GHA", reviewStage: "Queued" },
    { incorporationCountryIso3Code: "GHA", reviewStage: "Closed" },
  ];
  test.each(cases.flatMap((filter) => [[filter, 1] as const, [filter, -1] as const]))(
    "cases %j in the order %j: one page is looked at, and nothing sorted",
    async (filter, order) => {
      const wanted = { ...EVERY_CASE, ...filter };
      const plan = await explain(
        stage.collection
          .find(caseQuery(wanted, now) as never)
          .sort({ submittedAt: order, _id: order })
          .hint(caseIndex(wanted))
          .limit(50),
      );
      expect(plan).toMatchObject({ scans: false, sorts: false });
      // Where lapsed claims are merged in, the server counts each once for its claim and once for the rest.
      expect(plan.examined).toBeLessThanOrEqual(filter.reviewStage === "Queued" ? 102 : 51);
    },
  );

  test.each([
    ["Queued", 1],
    ["Closed", -1],
    [null, 1],
  ] as const)(
    "cases in stage %j after a cursor, in the order %j: each once, and no more than a page is examined",
    async (reviewStage, order) => {
      const query = { ...(reviewStage ? { reviewStage } : {}), sort: order === 1 ? "oldest" : "newest" };
      const list = (more: object) =>
        stage.get("profile.listCases", { caller: analyst("ada"), query: { ...query, ...more } });
      const all = (await list({ pageSize: "200" })).items.map(({ customerId }: Value) => customerId);
      const seen: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page: Value = await list({ cursor, pageSize: "51" });
        expect(page).toMatchObject({ page: null, total: null });
        seen.push(...page.items.map(({ customerId }: Value) => customerId));
        cursor = page.nextCursor;
      }
      expect(seen.slice(0, 200)).toEqual(all);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.length).toBeGreaterThan(102);

      const wanted = { ...EVERY_CASE, reviewStage };
      const middle = (await stage.stored(seen[Math.floor(seen.length / 2)] ?? "")) as StoredProfile;
      const plan = await explain(
        stage.collection
          .find({
            ...caseQuery(wanted, now),
            ...casesBehind({ at: new Date(middle.submittedAt), id: middle._id }, order),
          } as never)
          .sort({ submittedAt: order, _id: order })
          .hint(caseIndex(wanted))
          .limit(5),
      );
      expect(plan).toMatchObject({ scans: false, sorts: false });
      expect(plan.examined).toBeLessThanOrEqual(reviewStage === "Queued" ? 14 : 7);
    },
  );

  test("a search of analysts: examines one index entry per partner, and the results", async () => {
    const search = { namePrefix: "ålesund fisk 5", reference: "no such reference" };
    const found = await stage.get("profile.listCases", {
      caller: analyst("ada"),
      query: { search: "ÅLESUND fisk 5", pageSize: "200" },
    });
    expect(found.total).toBeGreaterThan(0);
    const partnerIds: string[] = await stage.collection.distinct("partnerId");
    for (const { query, index } of searchQueries(search, partnerIds, EVERY_CASE, now)) {
      const plan = await explain(
        stage.collection
          .find(query as never)
          .hint(index)
          .limit(200),
      );
      expect(plan).toMatchObject({ scans: false, sorts: false });
      expect(plan.examined).toBeLessThanOrEqual(found.total);
    }
    const distinct = await stage.explain({ distinct: "business_profiles", key: "partnerId", query: {} });
    expect(JSON.stringify(distinct)).toContain("DISTINCT_SCAN");
  });
});
