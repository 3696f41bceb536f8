/** A bucket with versions, which the S3 API of the tests does not have: its answers are written down here. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { expect, test } from "@jest/globals";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import type { Deps } from "../../../services/document/deps.ts";
import type { DocumentRecord } from "../../../services/document/document.rules.ts";
import { NO_SCANNER } from "../../../services/document/file/scanner.ts";
import { judgeArrival } from "../../../services/document/judge-arrival.ts";
import type { StoredFile } from "../../../services/document/storage/storage.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const NOW = new Date("2026-01-02T12:10:00.000Z");
const BYTES = samplePdf("confirmed");
const OTHER = samplePdf("something else");

const aFile = (bytes: Buffer, etag: string, versionId: string | null): StoredFile => ({
  sizeBytes: bytes.length,
  contentType: "application/pdf",
  etag,
  versionId,
  uploadedAt: NOW,
});

/** Versions oldest first; null is a delete marker. */
function aBucket(versions: readonly (readonly [StoredFile, Buffer] | null)[]) {
  const bytesOf = (file: StoredFile) => versions.find((version) => version?.[0] === file)?.[1] ?? null;
  const storage = {
    async describe(_key: string, versionId?: string): Promise<StoredFile | null> {
      if (versionId === undefined) return versions.at(-1)?.[0] ?? null;
      return versions.find((version) => version?.[0].versionId === versionId)?.[0] ?? null;
    },
    async read(_key: string, file: StoredFile, signal?: AbortSignal): Promise<Readable | null> {
      signal?.throwIfAborted();
      const bytes = bytesOf(file);
      return bytes && Readable.from([bytes]);
    },
    readPart: async (_key: string, file: StoredFile, start: number) => bytesOf(file)?.subarray(start) ?? null,
    /** As a server that ignores the condition: whatever is there now is copied. */
    async copy(
      _from: string,
      _file: StoredFile,
      _to: string,
      signal?: AbortSignal,
    ): Promise<StoredFile | null> {
      signal?.throwIfAborted();
      return versions.at(-1)?.[0] ?? null;
    },
    removed: [] as string[],
    async remove(key: string): Promise<void> {
      storage.removed.push(key);
    },
  };
  return {
    storage,
    repository: { nextLinkAt: async () => null },
    standings: { inactiveSince: async (): Promise<Date | null> => null },
    scanner: NO_SCANNER,
    clock: { now: () => NOW.getTime() },
  };
}

const judged = (deps: object, record: DocumentRecord, signal?: AbortSignal) =>
  judgeArrival(deps as Deps, record, null, signal);
const confirmed = (versionId: string | null) =>
  aDocument({
    status: "Confirmed",
    sizeBytes: BYTES.length,
    sha256: createHash("sha256").update(BYTES).digest("hex"),
    etag: "e1",
    versionId,
    confirmedAt: NOW,
  });

const v1 = [aFile(BYTES, "e1", "v1"), BYTES] as const;
const v2 = [aFile(OTHER, "e2", "v2"), OTHER] as const;
const plain = [aFile(OTHER, "e2", null), OTHER] as const;
const sameBytes = [aFile(BYTES, "e3", null), BYTES] as const;
const missing = (reason: string) => ({
  change: { status: "Missing", reason, announcePending: true, dueAt: expect.any(Date) },
});

test.each([
  ["the confirmed version alone", [v1], "v1", "nothing"],
  ["a later version over it", [v1, v2], "v1", { change: { overwrittenAt: NOW } }],
  ["a delete marker over it", [v1, null], "v1", "nothing"],
  ["only a later version, the confirmed one purged", [v2], "v1", missing("Overwritten")],
  ["nothing at all", [], "v1", missing("Deleted")],
  ["no versions, another file", [plain], null, missing("Overwritten")],
] as const)("a confirmed document, storage holds %s", async (_, versions, versionId, judgement) => {
  expect(await judged(aBucket(versions), confirmed(versionId))).toEqual(judgement);
});

test.each([
  ["deleted, and nothing is there", [], "Deleted", "nothing"],
  ["overwritten, and another file is there", [plain], "Overwritten", "nothing"],
  ["deleted, and another file is there", [plain], "Deleted", missing("Overwritten")],
] as const)("a missing document: %s", async (_, versions, reason, judgement) => {
  expect(await judged(aBucket(versions), { ...confirmed(null), status: "Missing", reason })).toEqual(
    judgement,
  );
});

test("a missing document, the confirmed file is there again: confirmed", async () => {
  const record = { ...confirmed("v1"), status: "Missing", reason: "Deleted" } as const;
  expect(await judged(aBucket([v1]), record)).toEqual({
    change: { ...missing("").change, status: "Confirmed", reason: null },
  });
});

test("a confirmed document, the same bytes under another ETag: are the same file", async () => {
  const judgement = await judged(aBucket([sameBytes]), confirmed(null));
  expect(judgement).toMatchObject({ change: { status: "Confirmed", reason: null, etag: "e3" } });
});

test("a document overwritten before: is noted once", async () => {
  const record = { ...confirmed("v1"), overwrittenAt: NOW };
  expect(await judged(aBucket([v1, v2]), record)).toBe("nothing");
});

const ANNOUNCED = { announcePending: true, dueAt: expect.any(Date) };
const DESCRIBED = { sizeBytes: BYTES.length, etag: "e1", versionId: "v1", uploadedAt: NOW };

test("a file behind a refused one: becomes confirmed with its own facts, and no reason is left", async () => {
  const refused = aDocument({ status: "Rejected", reason: "WrongType", etag: "e0" });
  expect(await judged(aBucket([v1]), refused)).toEqual({
    change: {
      ...{ ...DESCRIBED, ...ANNOUNCED, status: "Confirmed", reason: null, confirmedAt: NOW },
      ...{ confirmedKey: expect.any(String), sha256: confirmed(null).sha256 },
    },
  });
  expect(await judged(aBucket([v1]), { ...refused, etag: "e1" })).toBe("nothing");
  // Its upload was removed, so it was sent again.
  const removed = { ...refused, etag: "e1", reason: "Malware" } as const;
  expect(await judged(aBucket([v1]), removed)).toMatchObject({ change: { status: "Confirmed" } });
});

test("a file behind a newer link: superseded, with no digest and no reason", async () => {
  const record = aDocument();
  const asked: unknown[] = [];
  const nextLinkAt = async (...given: unknown[]) => asked.push(...given) && new Date(NOW.getTime() - 1);
  expect(await judged({ ...aBucket([v1]), repository: { nextLinkAt } }, record)).toEqual({
    change: { ...DESCRIBED, ...ANNOUNCED, status: "Superseded", reason: null, sha256: null },
  });
  expect(asked).toEqual([record, record.createdAt]);
});

test.each([
  ["a late file", [v1], null, { change: { dueAt: new Date("2026-01-02T12:45:00.000Z") } }],
  ["a late file that will be removed anyway", [v1], NOW, "nothing"],
  ["no file", [], null, "nothing"],
] as const)("a superseded link, storage holds %s", async (_, versions, dueAt, judgement) => {
  expect(await judged(aBucket(versions), aDocument({ status: "Superseded", dueAt }))).toEqual(judgement);
});

test.each([
  ["of a new file", aDocument()],
  ["of a file in the place of a confirmed one", { ...confirmed(null), etag: "e0" }],
])("the check %s ends with its process", async (_, record) => {
  const deps = aBucket([v1]);
  await expect(judged(deps, record, AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
});

test("a storage that did not compare the bytes with the digest of the link: they are compared here", async () => {
  const wantedSha256 = createHash("sha256").update(OTHER).digest("hex");
  const bucket = aBucket([v1]);
  expect(await judged(bucket, aDocument({ wantedSha256 }))).toMatchObject({
    change: { status: "Rejected", reason: "Mismatch", sha256: null },
  });
  expect(bucket.storage.removed).toHaveLength(1);
  expect(await judged(aBucket([v2]), aDocument({ wantedSha256 }))).toMatchObject({
    change: { status: "Confirmed" },
  });
});

test("a file replaced after it was described, by a storage that copies it all the same: the copy is judged", async () => {
  const { storage, ...rest } = aBucket([v2]);
  const deps = { ...rest, storage: { ...storage, describe: async () => v1[0] } };
  const sha256 = createHash("sha256").update(OTHER).digest("hex");
  const record = aDocument();
  const judgement = await judged(deps, record);
  expect(judgement).toMatchObject({ change: { status: "Confirmed", sha256, etag: "e2" } });
  const { confirmedKey } = (judgement as { change: { confirmedKey: string } }).change;
  expect(confirmedKey.split("/").slice(0, 4)).toEqual(record.objectKey.split("/").slice(1, 5));
});

test("the copy cannot be examined: it is removed, and the failure is passed on", async () => {
  const { storage, ...rest } = aBucket([v1]);
  const away = new Error("away");
  const read = () => Promise.reject(away);
  await expect(judged({ ...rest, storage: { ...storage, read } }, aDocument())).rejects.toBe(away);
  expect(storage.removed).toHaveLength(1);
});

test.each([
  ["arrives", aDocument(), "Confirmed"],
  ["takes the place of a confirmed one", { ...confirmed(null), etag: "e0", sha256: "0" }, "Missing"],
])(
  "a file that %s and is looked at for long: the sweep waits from the end of the look",
  async (_, record, status) => {
    const { storage, ...rest } = aBucket([v1]);
    let now = NOW.getTime();
    const read = (key: string, file: StoredFile) => {
      now += 60_000;
      return storage.read(key, file);
    };
    const deps = { ...rest, storage: { ...storage, read }, clock: { now: () => now } };
    const judgement = await judged(deps, record);
    expect(judgement).toMatchObject({ change: { status, announcePending: true } });
    const { dueAt } = (judgement as { change: { dueAt: Date } }).change;
    expect(dueAt.getTime()).toBeGreaterThan(now);
  },
);

test("a file replaced while it is looked at: is judged again", async () => {
  const { storage, ...rest } = aBucket([v1]);
  const deps = { ...rest, storage: { ...storage, read: async () => null } };
  expect(await judged(deps, aDocument())).toBe("moved");
  expect(await judged(deps, { ...confirmed(null), etag: "e0" })).toBe("moved");
});

test.each([
  ["before the upload ended", NOW.getTime() - 1, "Superseded"],
  ["after it", NOW.getTime() + 1, "Confirmed"],
])("a file of a partner that became inactive %s", async (_, inactiveAt, status) => {
  const deps = { ...aBucket([v1]), standings: { inactiveSince: async () => new Date(inactiveAt) } };
  expect(await judged(deps, aDocument())).toMatchObject({ change: { status } });
});
