import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import type { Deps } from "../../../services/document/deps.ts";
import { copyKey, type DocumentRecord, foldersOf } from "../../../services/document/document.rules.ts";
import { NO_SCANNER } from "../../../services/document/file/scanner.ts";
import { reconcileDocument } from "../../../services/document/reconcile-document.ts";
import type { StoredFile } from "../../../services/document/storage/storage.ts";
import { sweepBatch, sweepDocument } from "../../../services/document/sweep.ts";
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
  const stage = { moves: 0, lostChanges: 0, finds: 0 };
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
    nextLinkAt: async () => null,
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
    recordInProfile: note("tell"),
    clock: { now: () => atMs },
    looks: { firstMs: 2_000, mostMs: 900_000 },
  } as unknown as Deps;
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

  test("no file yet, and a notification came meanwhile: postponed by the lease of the claim only", async () => {
    const [leased, notified] = [new Date(CREATED.getTime() + 690_000), new Date(CLOSES)];
    const record = aDocument({ dueAt: leased });
    const { deps } = aStage([{ ...record, dueAt: notified }]);
    const postpone = jest.spyOn(deps.repository, "postpone");
    await sweepDocument(deps, record);
    expect(postpone.mock.calls.map(([{ dueAt }]) => dueAt)).toEqual([leased]);
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
  function reconciled(stage: ReturnType<typeof aStage>, record: DocumentRecord, objectKey?: string) {
    const { _id: documentId, partnerId } = record;
    const notification = objectKey === undefined ? null : { documentId, objectKey, etag: "e1", at: CREATED };
    return reconcileDocument(stage.deps, { documentId, partnerId }, notification);
  }

  test("nothing new: the record as it is; no such document: null", async () => {
    const record = aDocument();
    expect(await reconciled(aStage([record]), record)).toBe(record);
    expect(await reconciled(aStage(), record)).toBeNull();
  });

  test("a notification of the upload or of its copy counts; another key of the document is not even read", async () => {
    const record = confirmed();
    const keys = [record.objectKey, record.confirmedKey ?? "", copyKey(record.objectKey, "other")];
    const checks = keys.map(async (key) => {
      const stage = aStage([record]);
      const describe = jest.spyOn(stage.storage, "describe");
      const status = (await reconciled(stage, record, key))?.status ?? null;
      return [status, describe.mock.calls.length > 0];
    });
    expect(await Promise.all(checks)).toEqual([
      ["Missing", true],
      ["Missing", true],
      [null, false],
    ]);
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
