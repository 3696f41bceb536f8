/** Whose customers are found, and what a late or second write changes: the guarantee is in the queries. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/profile/collections.ts";
import {
  type CountryConfigRepository,
  countryConfigRepository,
} from "../../../services/profile/country/country-config.repository.ts";
import { configOfSeed } from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { type CaseRepository, caseRepository } from "../../../services/profile/record/case.repository.ts";
import { tombstoneOf } from "../../../services/profile/record/erased-customer.rules.ts";
import {
  type ErasureRepository,
  erasureRepository,
} from "../../../services/profile/record/erasure.repository.ts";
import {
  type ProfileRepository,
  profileRepository,
} from "../../../services/profile/record/profile.repository.ts";
import type { Profile, StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { EVERY_CASE } from "../../../services/profile/review/case-filter.rules.ts";
import type { CaseNote, CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { orderedId } from "../../../shared/ids.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { type Mongo, placed } from "../../../shared/mongo/mongo.ts";
import { NO_FILTER } from "../../support/builders/list-filter.ts";
import { idsOf, several } from "../../support/builders/records.ts";
import { aStoredProfile } from "../../support/builders/stored-profile.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = "2026-03-01T12:00:00.000Z";
const CAUSE = { by: "operator", reason: "asked for" };

let mongo: Mongo;
let profiles: ProfileRepository;
let cases: CaseRepository;
let erasures: ErasureRepository;
let countries: CountryConfigRepository;
beforeAll(async () => {
  mongo = await openTestDatabase("profile");
  await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
  profiles = profileRepository(mongo.connection);
  cases = caseRepository(mongo.connection);
  erasures = erasureRepository(mongo.connection);
  countries = countryConfigRepository(mongo.connection);
});
beforeEach(() => profiles.collection.deleteMany({}));
afterAll(() => mongo.close());

const QUEUED = { verificationStatus: "PendingVerification", reviewStage: "Queued" } as const;
const anEntry = (version: number): CustomerAuditEntry => ({
  version,
  at: NOW,
  actor: { kind: "partner", id: "client" },
  action: "create",
  from: null,
  to: QUEUED,
  requestId: "r",
  detail: { note: "free text" },
});
const anEvent = (eventId: string): OutboxEntry => ({
  eventId,
  eventType: "business.profile.created",
  partnerId: "partner-1",
  occurredAt: NOW,
  body: "{}",
  traceparent: null,
});
const aNote = (text: string): CaseNote => ({ noteId: text, at: NOW, by: "ada@operator.test", text });

let last = 0;
async function stored(given: Partial<StoredProfile> = {}): Promise<StoredProfile> {
  last += 1;
  const profile = {
    ...aStoredProfile({ _id: orderedId(Date.parse(NOW) + last), partnerCustomerId: `ref-${last}` }),
    audit: [anEntry(1)],
    outbox: [anEvent("e1")],
    ...given,
  };
  await profiles.insert(profile);
  return profile;
}
const shown = ({ audit: _audit, outbox: _outbox, notes: _notes, ...profile }: StoredProfile): Profile =>
  profile;
const whole = (_id: string) => profiles.collection.findOne({ _id });
describe("a customer", () => {
  test("stored once more: each kind of duplicate is told apart, and what is there stays", async () => {
    const keptAnswers = [{ key: "k", at: NOW, sealedFingerprint: "f", value: null, warnings: [] }];
    const first = await stored({ keptAnswers });
    await expect(stored({ _id: first._id })).rejects.toThrow(
      expect.objectContaining({ name: "DuplicateCustomer" }),
    );
    await expect(stored({ keptAnswers })).rejects.toThrow(expect.objectContaining({ name: "DuplicateKey" }));
    const { partnerCustomerId } = first;
    await expect(stored({ partnerCustomerId })).rejects.toThrow(
      expect.objectContaining({ name: "DuplicateReference" }),
    );
    await stored({ partnerId: "another", partnerCustomerId, keptAnswers });
    expect(await whole(first._id)).toEqual(first);
    expect(profiles.isReachable()).toBe(true);
  });

  test("is found by its id, and by reference or key of its own partner, without its trails", async () => {
    const keptAnswers = [{ key: "k", at: NOW, sealedFingerprint: "f", value: null, warnings: [] }];
    const [one, other] = [await stored({ keptAnswers, notes: [aNote("n")] }), await stored()];
    const { _id, partnerId, partnerCustomerId } = one;
    const ids = [_id, other._id, "none"];
    const found = [shown(one), shown(other), null];
    expect(await Promise.all(ids.map((id) => profiles.findById(id)))).toEqual(found);
    expect(await Promise.all(ids.map((id) => profiles.findOwn(partnerId, id)))).toEqual(found);
    expect(await profiles.findOwn("another", _id)).toBeNull();
    const find = jest.spyOn(profiles.collection, "find");
    await profiles.findOwn(partnerId, _id);
    expect(find.mock.calls.map(([query]) => query)).toEqual([placed([{ _id, partnerId }])]);
    find.mockRestore();
    expect(await profiles.findByReference(partnerId, partnerCustomerId)).toEqual(shown(one));
    expect(await profiles.findByReference(partnerId, other.partnerCustomerId)).toEqual(shown(other));
    expect(await profiles.findByReference("another", partnerCustomerId)).toBeNull();
    expect(await profiles.findByKey(partnerId, "k")).toEqual(shown(one));
    expect(await profiles.findByKey("another", "k")).toBeNull();
    expect(await profiles.findByKey(partnerId, "another key")).toBeNull();
    expect(await profiles.idOfReference(partnerId, other.partnerCustomerId)).toBe(other._id);
    expect(await profiles.idOfReference("another", other.partnerCustomerId)).toBeNull();
    await profiles.forgetKey(one, "another key");
    await profiles.forgetKey({ _id, partnerId: "another" }, "k");
    expect(await profiles.findByKey(partnerId, "k")).not.toBeNull();
    await profiles.forgetKey(one, "k");
    expect(await whole(_id)).toEqual({ ...one, keptAnswers: [] });
  });

  describe("an answer that is kept without a new version", () => {
    const aKept = (key: string) => ({ key, at: NOW, sealedFingerprint: "f", value: null, warnings: [] });

    test("a key is stored once in the customer and once in the partner", async () => {
      const [one, other] = [await stored(), await stored()];
      expect(await profiles.keepAnswer(shown(one), aKept("k"))).toBe(true);
      expect(await profiles.keepAnswer(shown(one), aKept("k"))).toBe(false);
      await expect(profiles.keepAnswer(shown(other), aKept("k"))).rejects.toMatchObject({
        name: "DuplicateKey",
      });
      expect(await profiles.keepAnswer(shown(other), aKept("k2"))).toBe(true);
      expect(await profiles.keepAnswer({ ...shown(other), partnerId: "another" }, aKept("k3"))).toBe(false);
      expect(await whole(one._id)).toEqual({ ...one, keptAnswers: [aKept("k")] });
      expect(await whole(other._id)).toEqual({ ...other, keptAnswers: [aKept("k2")] });
      const odd = aKept("$partnerId");
      expect(await profiles.keepAnswer(shown(other), { ...odd, value: "$version" as never })).toBe(true);
      expect((await whole(other._id))?.keptAnswers?.[1]).toEqual({ ...odd, value: "$version" });
    });

    test("a change of the customer with the answer of another request: adds to it, and never takes the key twice", async () => {
      const one = await stored();
      const read = shown(one);
      await profiles.keepAnswer(read, aKept("link"));
      const trails = { audit: anEntry(2), outbox: [] };
      const change = (key: string) =>
        profiles.compareAndSet(read, { ...read, version: 2 }, { ...trails, kept: aKept(key) });
      expect(await change("link")).toBe(false);
      expect(await change("simulate")).toBe(true);
      expect((await whole(one._id))?.keptAnswers).toEqual([aKept("link"), aKept("simulate")]);
    });

    test("an erasure of what was read before: does nothing, so that no tombstone lacks a key", async () => {
      const one = await stored();
      const erase = (read: Profile) => erasures.erase(read, tombstoneOf(read, CAUSE, NOW), []);
      await profiles.keepAnswer(shown(one), aKept("k"));
      expect(await erase(shown(one))).toBe(false);
      const read = (await profiles.findById(one._id)) as Profile;
      await profiles.forgetKey(one, "k");
      await profiles.keepAnswer(shown(one), aKept("k2"));
      expect(await erase(read)).toBe(false);
      expect(await erase((await profiles.findById(one._id)) as Profile)).toBe(true);
      const now = Date.parse(NOW);
      const spent = ["k", "k2"].map((key) => erasures.isKeySpent(one.partnerId, key, now));
      expect(await Promise.all(spent)).toEqual([false, true]);
      expect(await erasures.isKeySpent("another", "k2", now)).toBe(false);
      expect(await erasures.isKeySpent(one.partnerId, "k2", now + 86_400_000)).toBe(false);
    });
  });

  test("lists: of their partner, the newest first, a page and one more", async () => {
    const sealed = { sealedKey: "s", notes: [aNote("n")], keptAnswers: [] };
    const [first, second, third] = [await stored(), await stored(), await stored(sealed)];
    await stored({ partnerId: "another" });
    const { partnerId } = first;
    const list = async (page: Parameters<ProfileRepository["list"]>[2]) =>
      idsOf(await profiles.list(partnerId, NO_FILTER, page, NOW));
    expect(await list({ kind: "page", page: 1, pageSize: 1 })).toEqual([third._id, second._id]);
    expect(await list({ kind: "page", page: 2, pageSize: 2 })).toEqual([first._id]);
    expect(await list({ kind: "cursor", after: { at: new Date(), id: third._id }, pageSize: 5 })).toEqual([
      second._id,
      first._id,
    ]);
    expect(await profiles.count(partnerId, NO_FILTER, NOW)).toBe(3);
    const [item] = await profiles.list(partnerId, NO_FILTER, { kind: "page", page: 1, pageSize: 1 }, NOW);
    const left = ["audit", "outbox", "people", "documents", "history", "changeRequests", "financials"];
    for (const field of [...left, ...Object.keys(sealed), "decision"])
      expect([third, item].map((each) => field in (each ?? {}))).toEqual([true, false]);
  });

  test("a customer that changed since it was read: is not changed", async () => {
    const [before, other] = [await stored(), await stored()];
    const after = { ...shown(before), email: "new@x.example", version: 2 };
    const trails = { audit: anEntry(2), outbox: [anEvent("e2"), anEvent("e3")] };
    expect(await profiles.compareAndSet(shown(before), after, trails)).toBe(true);
    const changed = {
      ...before,
      ...after,
      audit: [...before.audit, trails.audit],
      outbox: [...before.outbox, ...trails.outbox],
    };
    expect(await whole(before._id)).toEqual(changed);
    for (const late of [shown(before), { ...after, _id: "none" }])
      expect(await profiles.compareAndSet(late, { ...late, email: "late@x.example" }, trails)).toBe(false);
    expect(await profiles.compareAndSet(shown(other), { ...shown(other), version: 2 }, trails)).toBe(true);
    expect(await whole(before._id)).toEqual(changed);
  });

  test("the trail of a customer: keeps its newest 450 entries", async () => {
    const before = await stored({ audit: Array.from({ length: 450 }, (_, index) => anEntry(index + 1)) });
    const after = { ...shown(before), version: 451 };
    await profiles.compareAndSet(shown(before), after, { audit: anEntry(451), outbox: [] });
    const kept = (await whole(before._id))?.audit.map(({ version }) => version) ?? [];
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([450, 2, 451]);
  });

  test("sealed keys: page by page in the order of ids; one that was replaced or erased meanwhile stays", async () => {
    const [one, other] = [await stored({ sealedKey: "s" }), await stored({ sealedKey: "s" })];
    const { _id, partnerId } = one;
    expect(await profiles.sealedKeysAfter("", 1)).toEqual([{ _id, partnerId, sealedKey: "s" }]);
    expect(idsOf(await profiles.sealedKeysAfter(_id, 5))).toEqual([other._id]);
    await profiles.replaceSealedKeys([
      { before: one, sealedKey: "newest" },
      { before: { ...other, sealedKey: "another" }, sealedKey: "newest" },
    ]);
    expect(await whole(_id)).toEqual({ ...one, sealedKey: "newest" });
    expect(await whole(other._id)).toEqual(other);
  });

  test("a queued sandbox customer decides itself by its name when its time has come", async () => {
    const due = { isTest: true, companyNameKey: "sandbox approved", submittedAt: NOW } as const;
    const found = await stored(due);
    const later = new Date(Date.parse(NOW) + 1).toISOString();
    const others = [{ submittedAt: later }, { companyNameKey: "x" }, { reviewStage: "Closed" }] as const;
    for (const other of others) await stored({ ...due, ...other });
    const { isTest: _isTest, ...live } = due;
    await stored(live);
    expect(idsOf(await profiles.selfDeciding([due.companyNameKey], NOW, 5))).toEqual([found._id]);
    await stored(due);
    expect(await profiles.selfDeciding([due.companyNameKey], NOW, 1)).toHaveLength(1);
  });
});

describe("a case", () => {
  const at = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();

  test("lists: in the order of submission from a place on, of what was asked for", async () => {
    const made = [];
    for (const ms of [2, 1, 3]) made.push(await stored({ submittedAt: at(ms) }));
    const [second, first, third] = idsOf(made);
    const test = await stored({ isTest: true });
    const list = async (page: Parameters<CaseRepository["list"]>[1], filter = EVERY_CASE) =>
      idsOf(await cases.list(filter, page, NOW));
    expect(await list({ order: 1, limit: 5 })).toEqual([first, second, third]);
    expect(await list({ order: -1, limit: 2 })).toEqual([third, second]);
    expect(await list({ order: 1, skip: 1, limit: 1 })).toEqual([second]);
    const after = { at: new Date(at(1)), id: String(first) };
    expect(await list({ order: 1, after, limit: 5 })).toEqual([second, third]);
    expect(await list({ order: 1, limit: 5 }, { ...EVERY_CASE, isTest: true })).toEqual([test._id]);
    expect(await cases.count(EVERY_CASE, NOW)).toBe(3);
    expect(await cases.count(EVERY_CASE, NOW, 2)).toBe(2);
    expect(idsOf(await cases.find(String(first), EVERY_CASE, NOW))).toEqual([first]);
    expect(await cases.find(test._id, EVERY_CASE, NOW)).toEqual([]);
    const [item] = await cases.find(String(first), EVERY_CASE, NOW);
    expect(item).not.toHaveProperty("people");
  });

  test("searches: by reference and by the beginning of a name, each customer once", async () => {
    const named = await stored({ companyNameKey: "harbour" });
    const both = await stored({
      companyNameKey: "harbour foods",
      partnerCustomerId: "harbour",
      partnerId: "q",
    });
    await stored({ companyNameKey: "other" });
    const search = (limit: number) =>
      cases.search({ namePrefix: "harbour", reference: "harbour" }, EVERY_CASE, limit, NOW);
    expect(idsOf(await search(5)).sort()).toEqual(idsOf([named, both]).sort());
    expect((await search(1)).length).toBeLessThanOrEqual(2);
  });

  test("notes: as many as there may be, of a customer that is there; the newest are read", async () => {
    const [one, other] = [await stored({ audit: [anEntry(0), anEntry(1)] }), await stored()];
    const add = (customer: Profile, text: string) =>
      mongo.connection.transaction((session) => cases.addNote(customer, aNote(text), { atMost: 2, session }));
    const none = { ...shown(other), partnerId: "another" };
    const added = [];
    for (const text of ["a", "b", "c"]) added.push(await add(one, text));
    expect([...added, await add(none, "d")]).toEqual([true, true, false, false]);
    expect(await cases.readTrails(one, 1)).toEqual({ audit: [anEntry(1)], notes: [aNote("b")] });
    expect(await cases.readTrails(other, 1)).toEqual({ audit: [anEntry(1)], notes: [] });
    expect(await cases.readTrails(none, 1)).toEqual({ audit: [], notes: [] });
    await erasures.erase(shown(other), tombstoneOf(shown(other), CAUSE, NOW), []);
    expect(await add(other, "e")).toBe(false);
  });
});

describe("an erasure", () => {
  test("leaves a tombstone and nothing else, unless somebody changed the customer meanwhile", async () => {
    const [one, other] = [await stored({ notes: [aNote("n")], sealedKey: "s" }), await stored()];
    const profile = shown(one);
    const { _id, ...tombstone } = tombstoneOf(profile, CAUSE, NOW);
    const erase = (read: Profile) => erasures.erase(read, { _id, ...tombstone }, [anEvent("e2")]);
    expect(await erase({ ...profile, version: 7 })).toBe(false);
    expect(await whole(_id)).toEqual(one);
    expect(await erase(profile)).toBe(true);
    expect(await whole(_id)).toEqual({
      _id,
      ...tombstone,
      version: 2,
      sequence: 2,
      audit: [{ ...anEntry(1), detail: {} }],
      outbox: [anEvent("e1"), anEvent("e2")],
    });
    expect(await profiles.findById(_id)).toBeNull();
    expect(await erasures.find(_id)).toEqual(tombstone.erased);
    expect(await erasures.find(other._id)).toBeNull();
    expect(await whole(other._id)).toEqual(other);
  });

  test("that is not finished is found page by page until it is", async () => {
    const made = [await stored(), await stored(), await stored()];
    for (const each of made) await erasures.erase(shown(each), tombstoneOf(shown(each), CAUSE, NOW), []);
    const [first, second, third] = idsOf(made);
    const unfinished = async (after: string, limit: number) =>
      idsOf(await erasures.unfinishedAfter(after, limit));
    expect(await unfinished("", 2)).toEqual([first, second]);
    expect(await unfinished(String(second), 2)).toEqual([third]);
    expect(await erasures.unfinishedAfter("", 1)).toEqual([
      { _id: first, erased: await erasures.find(String(first)) },
    ]);
    await erasures.finish(String(first));
    expect(await unfinished("", 5)).toEqual([second, third]);
    expect(await erasures.find(String(first))).not.toHaveProperty("isUnfinished");
  });

  test("an erasure that could not be finished is not taken for done", async () => {
    const update = jest.spyOn(profiles.collection, "updateOne").mockRejectedValueOnce(new Error("away"));
    await expect(erasures.finish("customer")).rejects.toThrow("away");
    update.mockRestore();
  });

  test("by retention: decided customers that did not change since, the longest first, page by page", async () => {
    const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;
    const closed = { reviewStage: "Closed", verificationStatus: "Approved" } as const;
    const made = [];
    for (const number of [2, 1, 1, 3]) made.push(await stored({ ...closed, updatedAt: day(number) }));
    const [second, first, alsoFirst] = made as [StoredProfile, StoredProfile, StoredProfile];
    await stored({ ...closed, verificationStatus: "Rejected", updatedAt: day(1) });
    await stored({ updatedAt: day(1) });
    const due = async (after: Parameters<ErasureRepository["closedBefore"]>[2], limit: number) =>
      idsOf(await erasures.closedBefore("Approved", day(2), after, limit));
    expect(await due(null, 5)).toEqual(idsOf([first, alsoFirst, second]));
    expect(await due(null, 1)).toEqual([first._id]);
    expect(await due({ updatedAt: day(1), _id: first._id }, 5)).toEqual(idsOf([alsoFirst, second]));
    const [read] = await erasures.closedBefore("Approved", day(2), null, 1);
    expect(read).toEqual(shown(first));
  });
});

test("customers inserted and read in the same moment: each is stored and found once", async () => {
  const made = await Promise.all(several(201, () => stored()));
  const found = await Promise.all(made.map(({ partnerId, _id }) => profiles.findOwn(partnerId, _id)));
  expect(found).toEqual(made.map(shown));
});

test("versions of countries: added once each, read the newest first; a seed leaves what is there", async () => {
  const row = COUNTRY_SEED.NGA;
  if (!row) throw new Error("no seed");
  const first = configOfSeed("NGA", row, NOW);
  const second = { ...first, version: 2, reason: "another" };
  const other = configOfSeed("GHA", row, NOW);
  expect(await countries.add(first)).toBe(true);
  expect(await countries.add({ ...first, reason: "late" })).toBe(false);
  await countries.add(second);
  await countries.seed([{ ...first, reason: "seed" }, other]);
  expect(await countries.all()).toEqual([other, second, first]);
});
