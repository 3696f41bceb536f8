/** What two processes do to one document at once, and whose documents are found: the guarantee is in the queries. */
import { afterAll, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/document/collections.ts";
import {
  type DocumentRepository,
  documentRepository,
} from "../../../services/document/document.repository.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { collectionOf, isBehindMongos, type Mongo } from "../../../shared/mongo/mongo.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import { commandsOf } from "../../support/stage/database-commands.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const NOW = new Date("2026-01-02T13:00:00.000Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

let mongo: Mongo;
let repository: DocumentRepository;
beforeAll(async () => {
  mongo = await openTestDatabase("document");
  await ensureCollections({ connection: mongo.connection, table: COLLECTIONS });
  repository = documentRepository(mongo.connection);
  // Asked once; after that it is none of the commands that are listened to.
  await isBehindMongos(mongo.connection);
});
beforeEach(() => mongo.connection.collection("documents").deleteMany({}));
afterAll(() => mongo.close());

async function stored(given: Partial<DocumentRecord> = {}): Promise<DocumentRecord> {
  const record = aDocument({ dueAt: NOW, ...given });
  await repository.insert(record);
  return record;
}
/** Claims and postponements are written with w: 1, so a majority read shows them a moment later. */
const untilShown = (at: Date, due: number) =>
  waitFor(async () => (await repository.countDue(at)) === due, { what: `${due} to be due` });
const idsOf = (records: readonly DocumentRecord[]) => records.map(({ _id }) => _id).sort();

test("several sweeps at once: each document that is due goes to one of them, and to nobody again before its lease ends", async () => {
  const due = await Promise.all(Array.from({ length: 20 }, () => stored()));
  await stored({ dueAt: later(1) });
  // Clocks differ, so each sweep asks for another end of its lease.
  const sweep = (skewMs: number) => repository.claimDue(NOW, later(60_000 + skewMs), 100);
  await Promise.all([1, 2, 3].map(() => repository.countDue(NOW)));
  const taken = await Promise.all([1, 2, 3].map(sweep));
  expect(idsOf(taken.flat())).toEqual(idsOf(due));
  expect(await sweep(4)).toEqual([]);
  await untilShown(NOW, 0);
  expect(await repository.claimDue(later(60_003), later(120_000), 100)).toHaveLength(21);
});

test("a change based on an older read changes nothing", async () => {
  const read = await stored();
  const changed = await repository.change(read, { status: "Confirmed", announcePending: true });
  expect(changed).toMatchObject({ status: "Confirmed", revision: 2 });
  expect(await repository.change(read, { status: "Expired" })).toBeNull();
  await repository.markAnnounced(read, null);
  await repository.postpone(read, later(1));
  // These two are written with w: 1, so a majority read could be too early to show them.
  const documents = mongo.connection.collection<DocumentRecord>("documents");
  const now = await documents.findOne({ _id: read._id }, { readConcern: { level: "local" } });
  expect(now).toEqual(changed);
});

test("a document stored once more: stays as it is; under the id of another customer's: refused", async () => {
  const record = await stored();
  await repository.insert({ ...record, status: "Expired" });
  await expect(repository.insert({ ...record, customerId: "another" })).rejects.toMatchObject({
    ...{ message: "An id was given twice.", cause: expect.stringContaining("E11000") },
  });
  expect(await repository.find(record._id)).toEqual(record);
  const insert = jest.spyOn(collectionOf(mongo.connection, COLLECTIONS.documents), "insertMany");
  insert.mockRejectedValueOnce(new Error("away"));
  await expect(repository.insert(record)).rejects.toThrow("away");
  insert.mockRestore();
});

test("documents that come together are one write", async () => {
  const both = () => Promise.all([repository.insert(aDocument()), repository.insert(aDocument())]);
  expect(await commandsOf(mongo, both)).toMatchObject([{ insert: "documents", ordered: false }]);
});

test("reads answer the named ids, customer and slot only", async () => {
  const [one, other] = [await stored(), await stored()];
  const { partnerId, customerId } = one;
  const slot = { partnerId, customerId, uboId: null, documentCategory: one.documentCategory };
  const minutes = (count: number) => new Date(one.createdAt.getTime() + count * 60_000);
  for (const at of [3, 1, 2]) await stored({ ...slot, createdAt: minutes(at) });
  await stored({ ...slot, documentCategory: "Other" as never, createdAt: minutes(0.5) });
  await stored({ ...slot, uboId: "person", createdAt: minutes(0.5) });
  expect(await repository.find(other._id)).toEqual(other);
  expect(await repository.findMany([other._id, "none"])).toEqual([other]);
  expect(await repository.find(other._id, other.partnerId)).toEqual(other);
  expect(await repository.find(other._id, "another")).toBeNull();
  // Of the named partner first; what is another's is found all the same, for the caller to refuse.
  const both = await repository.findMany([other._id, "none", one._id], one.partnerId);
  expect(both).toEqual([one, other]);
  expect(await repository.findMany([other._id], one.partnerId)).toEqual([other]);
  const owners = [slot, other, { ...other, customerId: "none" }];
  expect(await Promise.all(owners.map(repository.countOfCustomer))).toEqual([6, 1, 0]);
  expect(await repository.nextLinkAt(slot, one.createdAt)).toEqual(minutes(1));
  expect(await repository.nextLinkAt(slot, minutes(3))).toBeNull();
});

test("announced and postponed documents are due at their time, the longest due first, and never without one", async () => {
  const [first, second, third] = [await stored(), await stored({ announcePending: true }), await stored()];
  await repository.postpone(first, later(2));
  await repository.markAnnounced(second, later(1));
  await repository.postpone(third, null);
  await untilShown(later(1), 1);
  const [due, ...others] = await repository.claimDue(later(2), later(9), 1);
  expect([due, others]).toMatchObject([{ _id: second._id, announcePending: false }, []]);
});

test("an erased customer: ids and dates of its documents are left, their files are due; once, and nobody else's", async () => {
  const facts = {
    ...{ reason: null, sizeBytes: 5, sha256: "s", etag: "e", versionId: "v", confirmedKey: "c" },
    ...{ wantedSizeBytes: 5, wantedSha256: "s", announcePending: true, status: "Confirmed" as const },
  };
  const mine = await stored({ ...facts, dueAt: null });
  const other = await stored(facts);
  expect(await repository.eraseOfCustomer(mine.customerId, later(5))).toBe(1);
  expect(await repository.find(mine._id)).toEqual({
    ...mine,
    ...{ status: "Superseded", reason: null, sizeBytes: null, sha256: null, etag: null, versionId: null },
    ...{ confirmedKey: null, wantedSizeBytes: null, wantedSha256: null, announcePending: false },
    ...{ erasedAt: later(5), dueAt: later(5), revision: 2 },
  });
  expect(await repository.find(other._id)).toEqual(other);
  expect(await repository.eraseOfCustomer(mine.customerId, later(6))).toBe(0);
});

test("files that are to be looked at: due by their upload or their copy, of that document only", async () => {
  const [one, two, other] = [
    await stored({ dueAt: null }),
    await stored({ dueAt: null, confirmedKey: "p/copy" }),
    await stored({ dueAt: null }),
  ];
  expect(await repository.makeDue([], NOW)).toBe(0);
  const copy = `${two.partnerId}/copy`;
  await repository.change(two, { confirmedKey: copy });
  const files = [
    { documentId: one._id, objectKey: one.objectKey },
    { documentId: two._id, objectKey: copy },
    { documentId: other._id, objectKey: `${other.partnerId}/another` },
    { documentId: other._id, objectKey: `another/${other.objectKey}` },
  ];
  expect(await repository.makeDue(files, later(3))).toBe(2);
  expect(await repository.makeDue(files.slice(0, 1), later(3))).toBe(1);
  const dueAt = async ({ _id }: DocumentRecord) => (await repository.find(_id))?.dueAt;
  expect([await dueAt(one), await dueAt(two), await dueAt(other)]).toEqual([later(3), later(3), null]);
  expect([await repository.countDue(later(2)), await repository.countDue(later(3))]).toEqual([0, 2]);
});

test("a notice comes while the sweep looks at the file: the sweep does not put it off", async () => {
  const { _id: documentId, objectKey } = await stored();
  const [claimed] = await repository.claimDue(NOW, later(60_000), 1);
  if (!claimed) throw new Error("nothing was due");
  expect(await repository.makeDue([{ documentId, objectKey }], later(1))).toBe(1);
  await repository.postpone(claimed, later(300_000));
  const documents = mongo.connection.collection<DocumentRecord>("documents");
  const now = await documents.findOne({ _id: documentId }, { readConcern: { level: "local" } });
  expect(now?.dueAt).toEqual(later(1));
});

test("a sweep postpones the documents that it claimed", async () => {
  const { _id } = await stored();
  const [claimed] = await repository.claimDue(NOW, later(60_000), 1);
  if (!claimed) throw new Error("nothing was due");
  await repository.postpone(claimed, later(300_000));
  const documents = mongo.connection.collection<DocumentRecord>("documents");
  const now = await documents.findOne({ _id }, { readConcern: { level: "local" } });
  expect(now?.dueAt).toEqual(later(300_000));
});

test("a tidied document is marked when it is postponed", async () => {
  const record = await stored();
  await repository.postpone(record, later(9), { isTidy: true });
  await untilShown(later(8), 0);
  await untilShown(later(9), 1);
  expect(await repository.find(record._id)).toEqual({ ...record, dueAt: later(9), isTidy: true });
});
