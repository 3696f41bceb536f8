/** Compares the object in storage with the record and returns the change to record. */
import type { RejectionReason } from "../../shared/contract/vocabularies.ts";
import { randomId } from "../../shared/ids.ts";
import type { Deps } from "./deps.ts";
import type { DocumentChange } from "./document.repository.ts";
import { copyKey, type DocumentRecord, fileKey } from "./document.rules.ts";
import { examineFile } from "./file/examine-file.ts";
import { describedProblem, isRemovedAtOnce } from "./file/file.rules.ts";
import { isSuperseded } from "./link.rules.ts";
import type { Notification } from "./notification.rules.ts";
import { closesAt, nextAnnouncementAt } from "./schedule.rules.ts";
import type { StoredFile } from "./storage/storage.ts";

/** moved: the file was replaced during the check. */
type Judgement = { change: DocumentChange } | "nothing" | "moved";

export async function judgeArrival(
  deps: Deps,
  record: DocumentRecord,
  notification: Notification | null,
  signal?: AbortSignal,
): Promise<Judgement> {
  const file = await deps.storage.describe(fileKey(record));
  switch (record.status) {
    case "AwaitingUpload":
    case "Expired":
    case "Rejected":
      return file && isNew(record, file) ? judgeFile(deps, record, file, notification, signal) : "nothing";
    case "Confirmed":
    case "Missing":
      return compareWithConfirmed(deps, record, file, signal);
    case "Superseded":
      return file && !record.dueAt ? { change: { dueAt: closesAt(record) } } : "nothing";
  }
}

/** A file that was removed is not there any more, so the same one has come again. */
const isNew = ({ etag, reason }: DocumentRecord, file: StoredFile): boolean =>
  file.etag !== etag || isRemovedAtOnce(reason);

/** A file for a link that was not used yet, or whose last file was refused: the partner may try again. */
async function judgeFile(
  deps: Deps,
  record: DocumentRecord,
  file: StoredFile,
  notification: Notification | null,
  signal?: AbortSignal,
): Promise<Judgement> {
  // Storage answers in whole seconds; its notification of this very file is more exact.
  const finishedAt = (notification?.etag === file.etag && notification.at) || file.uploadedAt;
  const found = (change: DocumentChange): Judgement => ({
    change: { ...identityOf(file), ...toAnnounce(deps), ...change },
  });
  const [nextLinkAt, inactiveSince] = await Promise.all([
    deps.repository.nextLinkAt(record, record.createdAt),
    deps.standings.inactiveSince(record.partnerId),
  ]);
  // The links of a partner end when it becomes inactive, as they do when the next one is asked for.
  if (isSuperseded(finishedAt, nextLinkAt) || isSuperseded(finishedAt, inactiveSince))
    return found({ status: "Superseded", reason: null, sha256: null });

  const rejected = (reason: RejectionReason) => found({ status: "Rejected", reason, sha256: null });
  const problem = describedProblem(file, record);
  if (problem) return rejected(problem);
  const copied = await examineCopy(deps, record, file, signal);
  if (!copied) return "moved";
  if ("rejected" in copied) return rejected(copied.rejected);
  return found({ ...copied, status: "Confirmed", reason: null, confirmedAt: new Date(deps.clock.now()) });
}

type ConfirmedCopy = Required<Pick<DocumentChange, "confirmedKey" | "etag" | "versionId" | "sha256">>;

/** The link can still write to the upload, but not to its copy: the examined bytes are the kept bytes (DECISIONS). */
async function examineCopy(
  deps: Deps,
  record: DocumentRecord,
  file: StoredFile,
  signal?: AbortSignal,
): Promise<ConfirmedCopy | { rejected: RejectionReason } | null> {
  deps.scanner.refuseIfAway();
  const confirmedKey = copyKey(record.objectKey, randomId());
  let isKept = false;
  try {
    const copy = await deps.storage.copy(record.objectKey, file, confirmedKey, signal);
    const verdict = copy && (await examineFile(deps, confirmedKey, record, copy, signal));
    if (!verdict || "rejected" in verdict) return verdict;
    isKept = true;
    return { confirmedKey, etag: copy.etag, versionId: copy.versionId, sha256: verdict.sha256 };
  } finally {
    // Leftovers are removed when the link is closed.
    if (!isKept) await deps.storage.remove(confirmedKey).catch(() => undefined);
  }
}

/** For a judgement that came too late: another process changed the document first. */
export async function dropCopy({ storage }: Deps, { confirmedKey }: DocumentChange): Promise<void> {
  if (confirmedKey) await storage.remove(confirmedKey).catch(() => undefined);
}

/** A confirmed document stays the same: another file in its place is never accepted. */
async function compareWithConfirmed(
  deps: Deps,
  record: DocumentRecord,
  file: StoredFile | null,
  signal?: AbortSignal,
): Promise<Judgement> {
  const isSame = file?.etag === record.etag;
  if (isSame || (await isKept(deps, record)))
    return record.status === "Missing"
      ? { change: becomes(deps, "Confirmed", null) }
      : overwritten(deps, record, file);
  if (!file) return record.reason === "Deleted" ? "nothing" : { change: becomes(deps, "Missing", "Deleted") };

  // Encrypted storage gives the same bytes another ETag.
  const verdict = await examineFile(deps, fileKey(record), record, file, signal);
  if (!verdict) return "moved";
  if ("sha256" in verdict && verdict.sha256 === record.sha256)
    return { change: { ...becomes(deps, "Confirmed", null), etag: file.etag, versionId: file.versionId } };
  return record.reason === "Overwritten" ? "nothing" : { change: becomes(deps, "Missing", "Overwritten") };
}

/** A bucket with versions keeps the confirmed one under whatever came later. */
const isKept = async ({ storage }: Deps, record: DocumentRecord): Promise<boolean> =>
  record.versionId !== null && (await storage.describe(fileKey(record), record.versionId)) !== null;

const overwritten = ({ clock }: Deps, record: DocumentRecord, file: StoredFile | null): Judgement =>
  file && file.etag !== record.etag && !record.overwrittenAt
    ? { change: { overwrittenAt: new Date(clock.now()) } }
    : "nothing";

const becomes = (
  deps: Deps,
  status: "Confirmed" | "Missing",
  reason: "Deleted" | "Overwritten" | null,
): DocumentChange => ({ status, reason, ...toAnnounce(deps) });

/** The judging process reports immediately, the sweep if that failed. The check may take longer than the sweep waits. */
const toAnnounce = ({ clock }: Deps): Pick<DocumentChange, "announcePending" | "dueAt"> => ({
  announcePending: true,
  dueAt: nextAnnouncementAt({ uploadedAt: null }, new Date(clock.now())),
});

const identityOf = ({ sizeBytes, etag, versionId, uploadedAt }: StoredFile) => ({
  sizeBytes,
  etag,
  versionId,
  uploadedAt,
});
