/** Fences of documents: each query reaches the document that it names, as it was read. Then concurrent sweeps, and the order of what is found. */
import { beforeEach, expect, jest, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/document/collections.ts";
import { documentRepository } from "../../../services/document/document.repository.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import { fences } from "../../support/fences.ts";
import { commandsOf } from "../../support/stage/database-commands.ts";
import { databaseOfFile } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const NOW = new Date("2026-01-02T13:00:00.000Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

const mongo = databaseOfFile("document", COLLECTIONS);
const { connection } = mongo;
const repository = documentRepository(connection);
const collection = collectionOf(connection, COLLECTIONS.documents);
beforeEach(() => collection.deleteMany({}));

const AS_READ = ["_id", "partnerId", "revision"] as const;
const FILE = { sizeBytes: 5, sha256: "s", etag: "e", versionId: "v", confirmedKey: "c" };
const WANTED = { wantedSizeBytes: 5, wantedSha256: "s" };
const NO_FILE = { sizeBytes: null, sha256: null, etag: null, versionId: null, confirmedKey: null };
const NO_WISH = { wantedSizeBytes: null, wantedSha256: null };

fences(connection, COLLECTIONS.documents, aDocument, {
  find: { call: ({ _id }) => repository.find(_id) },
  "find of a partner": {
    by: ["_id", "partnerId"],
    call: ({ _id, partnerId }) => repository.find(_id, partnerId),
  },
  findMany: { call: ({ _id }) => repository.findMany([_id, "nobody"]) },
  countOfCustomer: { by: ["customerId"], call: repository.countOfCustomer },
  nextLinkAt: {
    by: ["partnerId", "customerId", "uboId", "documentCategory"],
    unless: { "it is older": { createdAt: new Date(0) } },
    call: (read) => repository.nextLinkAt(read, new Date(read.createdAt.getTime() - 1)),
    answers: ({ createdAt }) => createdAt,
  },
  change: {
    by: AS_READ,
    call: (read) => repository.change(read, { status: "Confirmed", announcePending: true }),
    becomes: { status: "Confirmed", announcePending: true, revision: 2 },
    once: true,
  },
  markAnnounced: {
    by: AS_READ,
    given: { announcePending: true },
    call: (read) => repository.markAnnounced(read, NOW),
    becomes: { announcePending: false, dueAt: NOW },
  },
  postpone: {
    by: [...AS_READ, "dueAt"],
    given: { dueAt: NOW },
    call: (read) => repository.postpone(read, later(9), { isTidy: true }),
    becomes: { dueAt: later(9), isTidy: true },
    once: true,
  },
  claimDue: {
    by: [],
    given: { dueAt: NOW },
    others: {},
    unless: { "it is not due": { dueAt: later(1) }, "it is never due": { dueAt: null } },
    call: () => repository.claimDue(NOW, later(60_000), 5),
    becomes: { dueAt: later(60_000) },
    once: true,
  },
  countDue: {
    by: [],
    given: { dueAt: NOW },
    others: {},
    unless: { "it is not due": { dueAt: later(1) } },
    call: () => repository.countDue(NOW),
  },
  eraseOfCustomer: {
    by: ["customerId"],
    given: { ...FILE, ...WANTED, status: "Confirmed", announcePending: true },
    unless: { "it was erased": { erasedAt: NOW } },
    call: ({ customerId }) => repository.eraseOfCustomer(customerId, later(5)),
    becomes: {
      ...{ ...NO_FILE, ...NO_WISH, erasedAt: later(5), dueAt: later(5) },
      ...{ status: "Superseded" as const, announcePending: false, revision: 2 },
    },
    once: true,
  },
  makeDue: {
    by: ["_id", "objectKey"],
    call: ({ _id, objectKey }) => repository.makeDue([{ documentId: _id, objectKey }], NOW),
    becomes: { dueAt: NOW },
  },
  "makeDue of a copy": {
    given: { partnerId: "p", confirmedKey: "p/copy" },
    unless: { "it is of another partner": { partnerId: "q" }, "another copy": { confirmedKey: "p/other" } },
    call: ({ _id }) => repository.makeDue([{ documentId: _id, objectKey: "p/copy" }], NOW),
    becomes: { dueAt: NOW },
  },
});

async function stored(given: Partial<DocumentRecord> = {}): Promise<DocumentRecord> {
  const record = aDocument({ dueAt: NOW, ...given });
  await repository.insert(record);
  return record;
}
/** Claims and postponements are written with w: 1, so a majority read shows them a moment later. */
const untilShown = (at: Date, due: number) =>
  waitFor(async () => (await repository.countDue(at)) === due, `${due} to be due`);
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

test("a document stored once more: stays as it is; under the id of another customer's: refused", async () => {
  const record = await stored();
  await repository.insert({ ...record, status: "Expired" });
  await expect(repository.insert({ ...record, customerId: "another" })).rejects.toMatchObject({
    ...{ message: "An id was given twice.", cause: expect.stringContaining("E11000") },
  });
  expect(await repository.find(record._id)).toEqual(record);
  const insert = jest.spyOn(collection, "insertMany");
  insert.mockRejectedValueOnce(new Error("away"));
  await expect(repository.insert(record)).rejects.toThrow("away");
  insert.mockRestore();
});

test("documents that come together are one write", async () => {
  const both = () => Promise.all([repository.insert(aDocument()), repository.insert(aDocument())]);
  expect(await commandsOf(mongo, both)).toMatchObject([{ insert: "documents", ordered: false }]);
});

test("documents of the named partner are first; another's are found too, for the caller to refuse", async () => {
  const [one, other] = [await stored(), await stored()];
  expect(await repository.findMany([other._id, "none", one._id], one.partnerId)).toEqual([one, other]);
  expect(await repository.findMany([other._id], one.partnerId)).toEqual([other]);
});

test("the links of a customer are counted together; the next one of a slot is the earliest", async () => {
  const one = await stored();
  const { partnerId, customerId, uboId, documentCategory, createdAt } = one;
  const slot = { partnerId, customerId, uboId, documentCategory };
  const minutes = (count: number) => new Date(createdAt.getTime() + count * 60_000);
  for (const at of [3, 1, 2]) await stored({ ...slot, createdAt: minutes(at) });
  const other = await stored();
  const owners = [slot, other, { ...other, customerId: "none" }];
  expect(await Promise.all(owners.map(repository.countOfCustomer))).toEqual([4, 1, 0]);
  expect(await repository.nextLinkAt(slot, createdAt)).toEqual(minutes(1));
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

test("a document that a notification made due while it was announced stays due", async () => {
  const record = await stored({ announcePending: true, dueAt: later(5) });
  await repository.makeDue([{ documentId: record._id, objectKey: record.objectKey }], NOW);
  await repository.markAnnounced(record, later(60));
  const shown = await collection.findOne({ _id: record._id }, { readConcern: { level: "local" } });
  expect(shown).toMatchObject({ announcePending: false, dueAt: NOW });
});

test("files of a notification are made due together; none is no write", async () => {
  const [one, two] = [await stored({ dueAt: null }), await stored({ dueAt: null })];
  const files = [one, two].map(({ _id, objectKey }) => ({ documentId: _id, objectKey }));
  expect([await repository.makeDue(files, NOW), await repository.makeDue([], NOW)]).toEqual([2, 0]);
});
