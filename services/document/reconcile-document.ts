/** Updates a document by the state of storage, for each notification and in the sweep. */
import { unavailable } from "../../shared/errors.ts";
import { announceDocument } from "./announce-document.ts";
import type { Deps } from "./deps.ts";
import type { DocumentRecord } from "./document.rules.ts";
import { isRemovedAtOnce } from "./file/file.rules.ts";
import { dropCopy, judgeArrival } from "./judge-arrival.ts";
import type { Notification } from "./notification.rules.ts";

const TRIES = 5;

/** The record as it is afterwards; null when there is no such document. */
export async function reconcileDocument(
  deps: Deps,
  { documentId, partnerId }: { documentId: string; partnerId: string },
  notification: Notification | null = null,
): Promise<DocumentRecord | null> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const record = await deps.repository.find(documentId, partnerId);
    if (!record || (notification && !isOf(record, notification))) return null;
    const judgement = await judgeArrival(deps, record, notification);
    if (judgement === "moved") continue;
    if (judgement === "nothing") return record;
    const changed = await deps.repository.change(record, judgement.change);
    if (!changed) {
      await dropCopy(deps, judgement.change);
      continue;
    }
    report(deps, changed);
    if (isRemovedAtOnce(changed.reason)) await removeUpload(deps, changed);
    if (changed.announcePending) await announceDocument(deps, changed);
    return changed;
  }
  throw unavailable("A document that keeps changing");
}

const isOf = ({ objectKey, confirmedKey }: DocumentRecord, notification: Notification): boolean =>
  notification.objectKey === objectKey || notification.objectKey === confirmedKey;

/** If it fails, the sweep looks again. */
async function removeUpload({ storage, logger }: Deps, record: DocumentRecord): Promise<void> {
  const { _id: documentId, objectKey, etag } = record;
  try {
    // Another file may have been uploaded meanwhile, which was not checked.
    if ((await storage.describe(objectKey))?.etag === etag) await storage.remove(objectKey);
  } catch (err) {
    logger.warn({ err, documentId }, "document.removal_failed");
  }
}

function report({ logger, metrics, clock }: Deps, record: DocumentRecord): void {
  const { _id, customerId, partnerId, status, reason, requestId, overwrittenAt } = record;
  const ids = { documentId: _id, customerId, partnerId, requestId };
  if (status === "Missing" || overwrittenAt) logger.warn({ ...ids, status, reason }, "document.file_changed");
  else logger.info({ ...ids, status, reason }, "document.settled");
  metrics.increment("pbo_documents_settled_total", { status, reason: reason ?? "" });
  if (status === "Confirmed" && record.uploadedAt)
    metrics.observe("pbo_document_arrival_seconds", (clock.now() - record.uploadedAt.getTime()) / 1_000);
}
