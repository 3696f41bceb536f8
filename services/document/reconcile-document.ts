/** Updates a document by the state of storage, for each notification and in the sweep. */
import { unavailable } from "../../shared/errors.ts";
import type { Metrics } from "../../shared/telemetry/metrics.ts";
import { type AnnounceDeps, announceDocument } from "./announce-document.ts";
import type { DocumentRepository } from "./document.repository.ts";
import type { DocumentRecord } from "./document.rules.ts";
import { isRemovedAtOnce } from "./file/file.rules.ts";
import { dropCopy, type JudgeDeps, judgeArrival } from "./judge-arrival.ts";
import type { Notice } from "./notice.rules.ts";

export type ReconcileDeps = JudgeDeps &
  AnnounceDeps & {
    repository: Pick<DocumentRepository, "find" | "change" | "nextLinkAt">;
    metrics: Metrics;
  };

const TRIES = 5;

/** The record as it is afterwards; null when there is no such document. */
export async function reconcileDocument(
  deps: ReconcileDeps,
  { documentId, partnerId }: { documentId: string; partnerId: string },
  notice: Notice | null = null,
): Promise<DocumentRecord | null> {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const record = await deps.repository.find(documentId, partnerId);
    if (!record || (notice && !isOf(record, notice))) return null;
    const judgement = await judgeArrival(deps, record, notice);
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

const isOf = ({ objectKey, confirmedKey }: DocumentRecord, notice: Notice): boolean =>
  notice.objectKey === objectKey || notice.objectKey === confirmedKey;

/** If it fails, the sweep looks again. */
async function removeUpload({ storage, logger }: ReconcileDeps, record: DocumentRecord): Promise<void> {
  const { _id: documentId, objectKey, etag } = record;
  try {
    // Another file may have come meanwhile, which has not been looked at.
    if ((await storage.describe(objectKey))?.etag === etag) await storage.remove(objectKey);
  } catch (err) {
    logger.warn({ err, documentId }, "document.removal_failed");
  }
}

function report({ logger, metrics, clock }: ReconcileDeps, record: DocumentRecord): void {
  const { _id, customerId, partnerId, status, reason, requestId, overwrittenAt } = record;
  const ids = { documentId: _id, customerId, partnerId, requestId };
  if (status === "Missing" || overwrittenAt) logger.warn({ ...ids, status, reason }, "document.file_changed");
  else logger.info({ ...ids, status, reason }, "document.settled");
  metrics.increment("pbo_documents_settled_total", { status, reason: reason ?? "" });
  if (status === "Confirmed" && record.uploadedAt)
    metrics.observe("pbo_document_arrival_seconds", (clock.now() - record.uploadedAt.getTime()) / 1_000);
}
