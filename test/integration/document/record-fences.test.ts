/** What two processes do to one document at once: the fences are in the queries, so they are tried on a real database. */
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import {
  type DocumentRepository,
  documentRepository,
} from "../../../services/document/document.repository.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import type { Mongo } from "../../../shared/mongo.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";

const NOW = new Date("2026-01-02T13:00:00.000Z");
const later = (ms: number) => new Date(NOW.getTime() + ms);

let mongo: Mongo;
let repository: DocumentRepository;
beforeAll(async () => {
  mongo = await openTestDatabase("document");
  repository = documentRepository(mongo.connection);
});
beforeEach(() => mongo.connection.collection("documents").deleteMany({}));
afterAll(() => mongo.close());

async function stored(given: Partial<DocumentRecord> = {}): Promise<DocumentRecord> {
  const record = aDocument({ dueAt: NOW, ...given });
  await repository.insert(record);
  return record;
}
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
  expect(await repository.claimDue(later(60_003), later(120_000), 100)).toHaveLength(21);
});

test("whoever read the document before its last change: changes nothing", async () => {
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
