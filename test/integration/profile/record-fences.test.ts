/** Fences of customers: each query reaches the customer that it names, as it was read. Then the order of what is found, and duplicates. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/profile/collections.ts";
import { countryConfigRepository } from "../../../services/profile/country/country-config.repository.ts";
import { configOfSeed } from "../../../services/profile/country/country-config.rules.ts";
import { COUNTRY_SEED } from "../../../services/profile/country/country-config.seed.ts";
import { type CaseRepository, caseRepository } from "../../../services/profile/record/case.repository.ts";
import {
  nameOfKey,
  type Tombstone,
  tombstoneOf,
} from "../../../services/profile/record/erased-customer.rules.ts";
import {
  type ErasureRepository,
  erasureRepository,
} from "../../../services/profile/record/erasure.repository.ts";
import { profileRepository } from "../../../services/profile/record/profile.repository.ts";
import type { Profile, StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { EVERY_CASE } from "../../../services/profile/review/case-filter.rules.ts";
import type { CaseNote, CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { orderedId } from "../../../shared/ids.ts";
import type { DeclaredCollection } from "../../../shared/mongo/collections.rules.ts";
import { placed } from "../../../shared/mongo/mongo.ts";
import { NO_FILTER } from "../../support/builders/list-filter.ts";
import { idsOf, several } from "../../support/builders/records.ts";
import { aStoredProfile } from "../../support/builders/stored-profile.ts";
import { fences } from "../../support/fences.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";

const NOW = "2026-03-01T12:00:00.000Z";
const LATER = "2026-03-01T12:00:00.001Z";

const { connection } = databaseOfFile("profile", COLLECTIONS);
const profiles = profileRepository(connection);
const cases = caseRepository(connection);
const erasures = erasureRepository(connection);

const anEntry = (version: number): CustomerAuditEntry => ({
  ...{ version, at: NOW, from: null, requestId: "r", detail: { note: "free text" } },
  actor: { kind: "partner", id: "client" },
  action: "create",
  to: { verificationStatus: "PendingVerification", reviewStage: "Queued" },
});
const anEvent = (eventId: string): OutboxEntry => ({
  ...{ eventId, partnerId: "partner-1", occurredAt: NOW, body: "{}", traceparent: null },
  eventType: "business.profile.created",
});
const aNote = (text: string): CaseNote => ({ noteId: text, at: NOW, by: "ada@operator.test", text });
const aKept = (key: string) => ({ key, at: NOW, sealedFingerprint: "f", value: null, warnings: [] });
let last = 0;
/** Ids rise in the order of the calls. */
function aCustomer(given: Partial<StoredProfile> = {}): StoredProfile {
  last += 1;
  const _id = orderedId(Date.parse(NOW) + last);
  const trails = { audit: [anEntry(1)], outbox: [anEvent("e1")] };
  return { ...aStoredProfile({ _id, partnerCustomerId: `ref-${last}` }), ...trails, ...given };
}
const shown = ({ audit: _audit, outbox: _outbox, notes: _notes, ...profile }: StoredProfile): Profile =>
  profile;

beforeEach(() => profiles.collection.deleteMany({}));

const PLACE = ["_id", "partnerId"] as const;
const WITH_KEY = { keptAnswers: [aKept("k")] };
const WITH_ANOTHER_KEY = { "it has another key": { keptAnswers: [aKept("another")] } };
const DUE = { isTest: true, companyNameKey: "sandbox approved", submittedAt: NOW } as const;
const CLOSED = { reviewStage: "Closed", verificationStatus: "Approved", updatedAt: NOW } as const;
const TRAILS = { audit: anEntry(2), outbox: [anEvent("e2"), anEvent("e3")] };
const CHANGED = {
  ...{ email: "new@x.example", version: 2, audit: [anEntry(1), anEntry(2)] },
  outbox: [anEvent("e1"), ...TRAILS.outbox],
};
const changed = (read: StoredProfile) => ({ ...read, email: CHANGED.email, version: 2 });
const tombstone = (read: StoredProfile) =>
  tombstoneOf(shown(read), { by: "operator", reason: "asked for" }, NOW);
const LEAVING = aCustomer({ ...WITH_KEY, notes: [aNote("n")] });
const anyCustomer = (given: Partial<StoredProfile>) => aCustomer({ partnerId: randomUUID(), ...given });

fences(connection, COLLECTIONS.profiles, anyCustomer, {
  findById: {
    unless: { "it was erased": { erased: {} } as never },
    call: ({ _id }) => profiles.findById(_id),
  },
  findOwn: { by: PLACE, call: ({ _id, partnerId }) => profiles.findOwn(partnerId, _id) },
  findByReference: {
    by: ["partnerId", "partnerCustomerId"],
    call: ({ partnerId, partnerCustomerId }) => profiles.findByReference(partnerId, partnerCustomerId),
  },
  idOfReference: {
    by: ["partnerId", "partnerCustomerId"],
    call: ({ partnerId, partnerCustomerId }) => profiles.idOfReference(partnerId, partnerCustomerId),
  },
  findByKey: {
    given: WITH_KEY,
    by: ["partnerId"],
    unless: WITH_ANOTHER_KEY,
    call: ({ partnerId }) => profiles.findByKey(partnerId, "k"),
  },
  forgetKey: {
    given: WITH_KEY,
    by: PLACE,
    unless: WITH_ANOTHER_KEY,
    call: (read) => profiles.forgetKey(read, "k"),
    becomes: { keptAnswers: [] },
  },
  keepAnswer: {
    by: PLACE,
    call: (read) => profiles.keepAnswer(read, aKept("k")),
    becomes: WITH_KEY,
    once: true,
  },
  compareAndSet: {
    by: [...PLACE, "version"],
    call: (read) => profiles.compareAndSet(read, changed(read), TRAILS),
    becomes: CHANGED,
    once: true,
  },
  "compareAndSet with a response": {
    given: WITH_KEY,
    unless: { "another request stored the key": { keptAnswers: [aKept("k"), aKept("k2")] } },
    call: (read) => profiles.compareAndSet(read, changed(read), { ...TRAILS, kept: aKept("k2") }),
    becomes: { ...CHANGED, keptAnswers: [aKept("k"), aKept("k2")] },
  },
  replaceSealedKeys: {
    by: [...PLACE, "sealedKey"],
    unless: { "it was erased": { sealedKey: undefined } },
    call: (before) => profiles.replaceSealedKeys([{ before, sealedKey: "newest" }]),
    becomes: { sealedKey: "newest" },
  },
  selfDeciding: {
    by: [],
    given: DUE,
    others: {},
    unless: {
      "it is not due": { submittedAt: LATER },
      "another name": { companyNameKey: "x" },
      "it is decided": { reviewStage: "Closed" },
      "it is a live customer": { isTest: undefined },
    },
    call: async () => idsOf(await profiles.selfDeciding([DUE.companyNameKey], NOW, 5)),
  },
  "find of a case": {
    unless: { "it is a test customer": { isTest: true } },
    call: async ({ _id }) => idsOf(await cases.find(_id, EVERY_CASE, NOW)),
  },
  addNote: {
    by: PLACE,
    given: { notes: [aNote("a")] },
    unless: {
      "it has the maximum of notes": { notes: [aNote("a"), aNote("b")] },
      "it was erased": { partnerId: "erased" },
    },
    call: (read) =>
      connection.transaction((session) => cases.addNote(read, aNote("c"), { atMost: 2, session })),
    becomes: { notes: [aNote("a"), aNote("c")] },
    once: true,
  },
  readTrails: {
    by: PLACE,
    given: { audit: [anEntry(0), anEntry(1)], notes: [aNote("a"), aNote("b")] },
    call: async (read) => Object.values(await cases.readTrails(read, 1)).flat(),
    answers: () => [anEntry(1), aNote("b")],
  },
  erase: {
    by: [...PLACE, "version"],
    given: LEAVING,
    others: {},
    unless: {
      ...WITH_ANOTHER_KEY,
      "a response was added": { keptAnswers: [aKept("k"), aKept("k2")] },
    },
    call: (read) => erasures.erase(shown(read), tombstone(read), [anEvent("e2")]),
    becomes: {
      ...Object.fromEntries(Object.keys(LEAVING).map((field) => [field, undefined])),
      ...{ ...tombstone(LEAVING), version: 2, sequence: 2 },
      audit: [{ ...anEntry(1), detail: {} }],
      outbox: [anEvent("e1"), anEvent("e2")],
    },
    once: true,
  },
  closedBefore: {
    by: [],
    given: CLOSED,
    others: {},
    unless: {
      "another decision": { verificationStatus: "Rejected" },
      "it is not decided": { reviewStage: "Queued" },
      "it changed since": { updatedAt: LATER },
    },
    call: () => erasures.closedBefore("Approved", NOW, null, 5),
  },
});

const FINISHED = (({ isUnfinished: _, ...erased }) => erased)(tombstone(aCustomer()).erased);
const spent = (partnerId: string, key: string, at = NOW) => ({
  erased: { ...FINISHED, keys: [{ name: nameOfKey(partnerId, key), at }] },
});

const aTombstone = (given: Partial<Tombstone>): Tombstone => ({
  ...{ ...tombstone(aCustomer()), erased: { ...FINISHED, isUnfinished: true } },
  ...given,
});
const tombstones = COLLECTIONS.profiles as object as DeclaredCollection<Tombstone>;

fences(connection, tombstones, aTombstone, {
  "find of a tombstone": {
    unless: { "it is not erased": { partnerId: "partner-1" } },
    call: ({ _id }) => erasures.find(_id),
    answers: ({ erased }) => erased,
  },
  unfinishedAfter: {
    by: [],
    others: { erased: FINISHED },
    unless: { "it is finished": { erased: FINISHED } },
    call: () => erasures.unfinishedAfter("", 1),
  },
  finish: { call: ({ _id }) => erasures.finish(_id), becomes: { erased: FINISHED } },
  isKeySpent: {
    by: [],
    given: spent("partner-1", "k"),
    others: spent("partner-1", "k2"),
    unless: {
      "the key of another partner": spent("another", "k"),
      "another key": spent("partner-1", "k3"),
      "it is a day old": spent("partner-1", "k", "2026-02-28T12:00:00.000Z"),
    },
    call: () => erasures.isKeySpent("partner-1", "k", Date.parse(NOW)),
  },
});

async function stored(given: Partial<StoredProfile> = {}): Promise<StoredProfile> {
  const customer = aCustomer(given);
  await profiles.insert(customer);
  return customer;
}
const whole = (_id: string) => profiles.collection.findOne({ _id });
const erase = (read: StoredProfile) => erasures.erase(shown(read), tombstone(read), []);

describe("a customer", () => {
  test("stored once more: each kind of duplicate has its own error, and the stored customer stays", async () => {
    const keptAnswers = [aKept("k")];
    const first = await stored({ keptAnswers });
    const { _id, partnerCustomerId } = first;
    for (const [given, name] of [
      [{ _id }, "DuplicateCustomer"],
      [{ keptAnswers }, "DuplicateKey"],
      [{ partnerCustomerId }, "DuplicateReference"],
    ] as const)
      await expect(stored(given)).rejects.toThrow(expect.objectContaining({ name }));
    await stored({ partnerId: "another", partnerCustomerId, keptAnswers });
    expect(await whole(_id)).toEqual(first);
    expect(profiles.isReachable()).toBe(true);
  });

  test("a query for a customer names the partner, so that one shard is asked", async () => {
    const { _id, partnerId } = await stored();
    const find = jest.spyOn(profiles.collection, "find");
    await profiles.findOwn(partnerId, _id);
    expect(find.mock.calls.map(([query]) => query)).toEqual([placed([{ _id, partnerId }])]);
    find.mockRestore();
  });

  test("a stored response: another customer of the partner gets no second one of its key; text is no expression", async () => {
    const [one, other] = [await stored(), await stored()];
    expect(await profiles.keepAnswer(one, aKept("k"))).toBe(true);
    await expect(profiles.keepAnswer(other, aKept("k"))).rejects.toMatchObject({ name: "DuplicateKey" });
    const odd = { ...aKept("$partnerId"), value: "$version" };
    expect(await profiles.keepAnswer(other, odd)).toBe(true);
    expect((await whole(other._id))?.keptAnswers).toEqual([odd]);
  });

  test("in a list: without trails, people, documents and what else only its own page shows", async () => {
    const sealed = { sealedKey: "s", notes: [aNote("n")], keptAnswers: [] };
    const one = await stored(sealed);
    const [item] = await profiles.list(one.partnerId, NO_FILTER, { kind: "page", page: 1, pageSize: 1 }, NOW);
    const left = ["audit", "outbox", "people", "documents", "history", "changeRequests", "financials"];
    for (const field of [...left, ...Object.keys(sealed), "decision"])
      expect([one, item].map((each) => field in (each ?? {}))).toEqual([true, false]);
  });

  test("the trail of a customer: keeps its newest 450 entries", async () => {
    const before = await stored({ audit: several(450, (index) => anEntry(index + 1)) });
    const after = { ...before, version: 451 };
    await profiles.compareAndSet(before, after, { audit: anEntry(451), outbox: [] });
    const kept = (await whole(before._id))?.audit.map(({ version }) => version) ?? [];
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([450, 2, 451]);
  });

  test("pages of sealed keys, and a part of the sandbox customers that are due", async () => {
    const due = { isTest: true, companyNameKey: "sandbox approved", submittedAt: NOW } as const;
    const [one, other] = [await stored(due), await stored(due)];
    const { _id, partnerId, sealedKey } = one;
    expect(await profiles.sealedKeysAfter("", 1)).toEqual([{ _id, partnerId, sealedKey }]);
    expect(idsOf(await profiles.sealedKeysAfter(_id, 5))).toEqual([other._id]);
    expect(await profiles.selfDeciding([due.companyNameKey], NOW, 1)).toHaveLength(1);
  });

  test("customers inserted and read in the same moment: each is stored and found once", async () => {
    const made = await Promise.all(several(201, () => stored()));
    const found = await Promise.all(made.map(({ partnerId, _id }) => profiles.findOwn(partnerId, _id)));
    expect(found).toEqual(made.map(shown));
  });
});

describe("a case", () => {
  const at = (ms: number) => new Date(Date.parse(NOW) + ms).toISOString();

  test("lists: in the order of submission from a position on, of live or test customers", async () => {
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
    const counts = [cases.count(EVERY_CASE, NOW), cases.count(EVERY_CASE, NOW, 2)];
    expect(await Promise.all(counts)).toEqual([3, 2]);
    const [item] = await cases.find(String(first), EVERY_CASE, NOW);
    expect(item).not.toHaveProperty("people");
  });

  test("searches: by reference and by the beginning of a name, each customer once", async () => {
    const harbour = { companyNameKey: "harbour foods", partnerCustomerId: "harbour", partnerId: "q" };
    const found = [await stored({ companyNameKey: "harbour" }), await stored(harbour)];
    await stored({ companyNameKey: "other" });
    const search = (limit: number) =>
      cases.search({ namePrefix: "harbour", reference: "harbour" }, EVERY_CASE, limit, NOW);
    expect(idsOf(await search(5)).sort()).toEqual(idsOf(found).sort());
    expect((await search(1)).length).toBeLessThanOrEqual(2);
  });
});

describe("an erasure", () => {
  test("an unfinished erasure is found page by page until it is finished", async () => {
    const made = [await stored(), await stored(), await stored()];
    for (const each of made) await erase(each);
    const [first, second, third] = idsOf(made);
    const unfinished = async (after: string, limit: number) =>
      idsOf(await erasures.unfinishedAfter(after, limit));
    expect(await unfinished("", 2)).toEqual([first, second]);
    expect(await unfinished(String(second), 2)).toEqual([third]);
    await erasures.finish(String(first));
    expect(await unfinished("", 5)).toEqual([second, third]);
  });

  test("an erasure that could not be finished is not taken for done", async () => {
    const update = jest.spyOn(profiles.collection, "updateOne").mockRejectedValueOnce(new Error("away"));
    await expect(erasures.finish("customer")).rejects.toThrow("away");
    update.mockRestore();
  });

  test("by retention: the longest unchanged first, page by page", async () => {
    const day = (number: number) => `2026-01-0${number}T00:00:00.000Z`;
    const closed = { reviewStage: "Closed", verificationStatus: "Approved" } as const;
    const made = [];
    for (const number of [2, 1, 1]) made.push(await stored({ ...closed, updatedAt: day(number) }));
    const [second, first, alsoFirst] = made as [StoredProfile, StoredProfile, StoredProfile];
    const due = async (after: Parameters<ErasureRepository["closedBefore"]>[2], limit: number) =>
      idsOf(await erasures.closedBefore("Approved", day(2), after, limit));
    expect(await due(null, 5)).toEqual(idsOf([first, alsoFirst, second]));
    expect(await due(null, 1)).toEqual([first._id]);
    expect(await due({ updatedAt: day(1), _id: first._id }, 5)).toEqual(idsOf([alsoFirst, second]));
  });
});

test("versions of countries: added once each, read the newest first; a seed leaves what is there", async () => {
  const countries = countryConfigRepository(connection);
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
