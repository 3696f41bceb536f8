/** What the sweep does for each document, and how a document follows what storage holds. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { copyKey, type DocumentRecord, foldersOf } from "../../../services/document/document.rules.ts";
import { NO_SCANNER } from "../../../services/document/file/scanner.ts";
import { reconcileDocument } from "../../../services/document/reconcile-document.ts";
import type { StoredFile } from "../../../services/document/storage/storage.ts";
import { type SweepDeps, sweepBatch, sweepDocument } from "../../../services/document/sweep.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const CREATED = new Date("2026-01-02T12:00:00.000Z");
const CLOSES = Date.parse("2026-01-02T12:45:00.000Z");
const BYTES = samplePdf("a statement");
const HOUR_MS = 3_600_000;

const aFile = (wish: Partial<StoredFile> = {}): StoredFile => ({
  sizeBytes: BYTES.length,
  contentType: "application/pdf",
  etag: "e1",
  versionId: null,
  uploadedAt: CREATED,
  ...wish,
});
const confirmed = (wish: Partial<DocumentRecord> = {}): DocumentRecord => {
  const record = aDocument({ status: "Confirmed", etag: "e1", confirmedAt: CREATED });
  const sha256 = createHash("sha256").update(BYTES).digest("hex");
  return { ...record, sha256, confirmedKey: copyKey(record.objectKey, "copy"), ...wish };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Documents and files in memory; what is done to them is written down when it has ended. */
function aStage(given: readonly DocumentRecord[] = [], atMs = CREATED.getTime() + 600_000) {
  const records = new Map(given.map((record) => [record._id, record]));
  const files = new Map<string, StoredFile>();
  const done: unknown[][] = [];
  const stage = { nextLink: null as Date | null, moves: 0, lostChanges: 0, finds: 0 };
  /** Slow enough that who does not wait for it is seen to be ahead. */
  const note =
    (name: string, turns = 1) =>
    async (...args: unknown[]) => {
      for (let left = turns; left > 0; left -= 1) await turn();
      done.push([name, ...args.map((arg) => (arg as DocumentRecord | null)?._id ?? arg)]);
    };
  const logger = Object.assign(pino({ level: "silent" }), { warn: jest.fn(), info: jest.fn() });
  const repository = {
    async find(documentId: string, partnerId: string) {
      stage.finds += 1;
      const found = records.get(documentId);
      return found?.partnerId === partnerId ? found : null;
    },
    async change(record: DocumentRecord, change: Partial<DocumentRecord>) {
      await turn();
      stage.lostChanges -= 1;
      if (stage.lostChanges >= 0) return null;
      const changed = { ...record, ...change, revision: record.revision + 1 };
      records.set(record._id, changed);
      done.push(["change", change.status]);
      return changed;
    },
    nextLinkAt: async () => stage.nextLink,
    postpone: note("postpone"),
    markAnnounced: note("announced"),
    eraseOfCustomer: async () => 0,
    claimDue: async (...args: unknown[]) => {
      done.push(["claim", ...args]);
      return given;
    },
  };
  const storage = {
    describe: async (key: string) => files.get(key) ?? null,
    async copy(_from: string, file: StoredFile, to: string) {
      files.set(to, file);
      return file;
    },
    async read() {
      stage.moves -= 1;
      return stage.moves >= 0 ? null : Readable.from([BYTES]);
    },
    readPart: async (_key: string, _file: unknown, start: number) => BYTES.subarray(start),
    async remove(key: string) {
      await note("remove", 5)(key);
      files.delete(key);
    },
    clear: note("clear", 5),
  };
  const metrics = createMetrics("document");
  const deps = {
    ...{ repository, storage, logger, metrics },
    standings: { inactiveSince: async () => null },
    scanner: NO_SCANNER,
    profile: { recordDocument: note("tell") },
    clock: { now: () => atMs },
    looks: { firstMs: 2_000, mostMs: 900_000 },
  } as unknown as SweepDeps;
  return Object.assign(stage, { deps, records, files, done, logger, metrics, storage });
}

async function tended(record: DocumentRecord, atMs?: number, file = aFile()) {
  const stage = aStage([record], atMs);
  if (record.confirmedKey) stage.files.set(record.confirmedKey, file);
  await sweepDocument(stage.deps, record);
  return stage.done;
}

describe("sweepDocument", () => {
  test("the profile service does not know yet: it is told, and no more", async () => {
    const record = confirmed({ announcePending: true });
    expect(await tended(record)).toEqual([
      ["tell", record._id],
      ["announced", record._id, expect.any(Date)],
    ]);
  });

  test("no file yet: looks again while one may come", async () => {
    const record = aDocument();
    expect(await tended(record)).toEqual([["postpone", record._id, new Date(CREATED.getTime() + 1_200_000)]]);
    expect(await tended(record, CLOSES - 1)).toEqual([["postpone", record._id, expect.any(Date)]]);
  });

  test.each([
    ["Expired", null],
    ["Superseded", CREATED],
  ])("no file, and none can come any more: %s", async (status, nextLink) => {
    const record = aDocument({ dueAt: CREATED });
    const stage = aStage([record], CLOSES);
    stage.nextLink = nextLink;
    await sweepDocument(stage.deps, record);
    expect(stage.done).toEqual([["change", status]]);
    expect(stage.records.get(record._id)?.dueAt).toBeNull();
  });

  test("a file that came without a notice: confirmed and told, not postponed", async () => {
    const record = aDocument({ dueAt: CREATED });
    const stage = aStage([record]);
    stage.files.set(record.objectKey, aFile());
    await sweepDocument(stage.deps, record);
    expect(stage.done.map(([what]) => what)).toEqual(["change", "tell", "announced"]);
    expect(stage.records.get(record._id)?.status).toBe("Confirmed");
  });

  test.each([
    ["its link is open: nothing is removed yet", {}, CLOSES - 1, false, new Date(CLOSES)],
    ["its link is closed: all but the confirmed copy is removed", {}, CLOSES, true, null],
    ["it is tidy", { isTidy: true }, CLOSES, false, null],
  ])("a confirmed file that is still there, %s", async (_, wish, atMs, isCleared, dueAt) => {
    const record = confirmed(wish);
    const stage = aStage([record], atMs);
    stage.files.set(record.confirmedKey ?? record.objectKey, aFile());
    await sweepDocument(stage.deps, record);
    expect(stage.done).toEqual([
      ...(isCleared ? foldersOf(record.objectKey).map((each) => ["clear", each, record.confirmedKey]) : []),
      ["postpone", record._id, dueAt ?? new Date(atMs + 24 * HOUR_MS), { isTidy: dueAt === null }],
    ]);
  });

  test("a confirmed file that vanished: Missing, and told; one that is missing is looked for again", async () => {
    const record = confirmed();
    const stage = aStage([record]);
    await sweepDocument(stage.deps, record);
    expect(stage.done.map(([what, to]) => [what, what === "change" ? to : null])).toEqual([
      ["change", "Missing"],
      ["tell", null],
      ["announced", null],
    ]);
    const missing = confirmed({ status: "Missing", reason: "Deleted" });
    const later = aStage([missing]);
    await sweepDocument(later.deps, missing);
    expect(later.done.map(([what]) => what)).toEqual(["postpone"]);
  });

  test("a refused file: while the link is open another may come, then all is removed", async () => {
    const record = aDocument({ status: "Rejected", reason: "Mismatch", etag: "e0" });
    const open = aStage([record], CLOSES - 1);
    open.files.set(record.objectKey, aFile());
    await sweepDocument(open.deps, record);
    expect(open.done.map(([what]) => what)).toEqual(["change", "tell", "announced", "postpone"]);
    expect(open.done.at(-1)).toEqual(["postpone", record._id, new Date(CLOSES)]);
    expect(await tended(record, CLOSES)).toEqual([
      ...foldersOf(record.objectKey).map((folder) => ["clear", folder]),
      ["postpone", record._id, null],
    ]);
  });

  test("the files of an erased customer are removed immediately", async () => {
    const record = aDocument({ status: "Rejected", etag: "e0", erasedAt: CREATED });
    const stage = aStage([record], CLOSES - 1);
    stage.files.set(record.objectKey, aFile());
    await sweepDocument(stage.deps, record);
    expect(stage.done).toEqual([
      ...foldersOf(record.objectKey).map((folder) => ["clear", folder]),
      ["postpone", record._id, new Date(CLOSES)],
    ]);
  });
});

describe("sweepBatch", () => {
  const documents = (count: number) => Array.from({ length: count }, () => aDocument());

  test("takes a hundred under a lease and says whether there may be more", async () => {
    const stage = aStage(documents(100));
    const now = stage.deps.clock.now();
    expect(await sweepBatch(stage.deps)).toBe(100);
    expect(stage.done[0]).toEqual(["claim", new Date(now), new Date(now + 90_000), 100]);
    expect(stage.done).toHaveLength(101);
    expect(await sweepBatch(aStage(documents(99)).deps)).toBe(99);
  });

  test("a failing document does not delay the others; eight are in flight", async () => {
    const [broken, ...others] = documents(10);
    const stage = aStage([broken as DocumentRecord, ...others]);
    let [underWay, most] = [0, 0];
    stage.storage.describe = async (key) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await turn();
      underWay -= 1;
      if (key === broken?.objectKey) throw new Error("away");
      return null;
    };
    expect(await sweepBatch(stage.deps)).toBe(10);
    expect(stage.done.slice(1).map(([, id]) => id)).toEqual(others.map(({ _id }) => _id));
    expect([most, stage.logger.warn.mock.calls.length]).toEqual([8, 1]);
  });
});

describe("reconcileDocument", () => {
  const noticeOf = (record: DocumentRecord, objectKey: string) => ({
    documentId: record._id,
    objectKey,
    etag: "e1",
    at: CREATED,
  });
  const reconciled = (stage: ReturnType<typeof aStage>, record: DocumentRecord, objectKey?: string) =>
    reconcileDocument(
      stage.deps,
      { documentId: record._id, partnerId: record.partnerId },
      objectKey === undefined ? null : noticeOf(record, objectKey),
    );

  test("nothing new: the record as it is; no such document: null", async () => {
    const record = aDocument();
    expect(await reconciled(aStage([record]), record)).toBe(record);
    expect(await reconciled(aStage(), record)).toBeNull();
  });

  test("a notice of the upload or of its copy counts, of another key beside them it does not", async () => {
    const record = confirmed();
    const keys = [record.objectKey, record.confirmedKey ?? "", copyKey(record.objectKey, "other")];
    const looks = keys.map(async (key) => (await reconciled(aStage([record]), record, key))?.status ?? null);
    expect(await Promise.all(looks)).toEqual(["Missing", "Missing", null]);
  });

  test("a file that is replaced while it is looked at: five looks, then it fails and the sweep comes again", async () => {
    const record = aDocument();
    const stage = aStage([record]);
    stage.files.set(record.objectKey, aFile());
    stage.moves = 4;
    expect((await reconciled(stage, record))?.status).toBe("Confirmed");
    expect(stage.finds).toBe(5);
    const restless = aStage([record]);
    restless.files.set(record.objectKey, aFile());
    restless.moves = 100;
    await expect(reconciled(restless, record)).rejects.toMatchObject({ type: "Service.Unavailable" });
    expect(restless.finds).toBe(5);
  });

  test("somebody else changed the document meanwhile: the copy is removed, and it is judged again", async () => {
    const record = aDocument();
    const stage = aStage([record]);
    stage.files.set(record.objectKey, aFile());
    stage.lostChanges = 1;
    const { confirmedKey } = (await reconciled(stage, record)) ?? {};
    expect(stage.done.map(([what]) => what)).toEqual(["remove", "change", "tell", "announced"]);
    expect([...stage.files.keys()]).toEqual([record.objectKey, confirmedKey]);
  });

  test.each([
    ["too large: removed at once", aFile({ sizeBytes: 1e12 }), ["change", "remove", "tell"]],
    ["of another type: kept", aFile({ contentType: "text/html" }), ["change", "tell"]],
  ])("a file that is refused, %s", async (_, file, what) => {
    const record = aDocument();
    const stage = aStage([record]);
    stage.files.set(record.objectKey, file);
    expect((await reconciled(stage, record))?.status).toBe("Rejected");
    expect(stage.done.slice(0, -1).map(([each]) => each)).toEqual(what);
  });

  test("another came before it was removed, or it cannot be removed: left to the sweep", async () => {
    const record = aDocument();
    const [replaced, broken] = [aStage([record]), aStage([record])];
    const answers = [aFile({ sizeBytes: 1e12 }), aFile({ etag: "e2" })];
    replaced.storage.describe = async () => answers.shift() ?? null;
    await reconciled(replaced, record);
    expect(replaced.done.map(([what]) => what)).not.toContain("remove");
    broken.files.set(record.objectKey, aFile({ sizeBytes: 1e12 }));
    broken.storage.remove = () => Promise.reject(new Error("away"));
    expect((await reconciled(broken, record))?.status).toBe("Rejected");
  });

  test("metrics and logs: the outcome, the time to confirm, the fate of a file", async () => {
    const record = aDocument();
    const stage = aStage([record]);
    stage.files.set(record.objectKey, aFile());
    await reconciled(stage, record);
    const text = await stage.metrics.text();
    expect(text).toMatch(/^pbo_documents_settled_total\{.*status="Confirmed".*\} 1$/m);
    expect(text).toMatch(/^pbo_document_arrival_seconds_sum\{.*\} 600$/m);
    const ids = { documentId: record._id, customerId: record.customerId, partnerId: record.partnerId };
    expect(stage.logger.info.mock.calls[0]).toEqual([
      expect.objectContaining({ ...ids, requestId: "request-1", status: "Confirmed" }),
      "document.settled",
    ]);
    const gone = confirmed();
    const without = aStage([gone]);
    await reconciled(without, gone);
    expect(without.logger.warn.mock.calls.map(([, what]) => what)).toEqual(["document.file_changed"]);
    expect(await without.metrics.text()).toMatch(/^pbo_document_arrival_seconds_count\{.*\} 0$/m);
    const refused = aStage([record]);
    refused.files.set(record.objectKey, aFile({ contentType: "text/html" }));
    await reconciled(refused, record);
    expect(refused.logger.warn).not.toHaveBeenCalled();
    expect(await refused.metrics.text()).toMatch(/^pbo_document_arrival_seconds_count\{.*\} 0$/m);
  });
});
