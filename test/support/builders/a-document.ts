import { randomUUID } from "node:crypto";
import { type DocumentRecord, objectKey } from "../../../services/document/document.rules.ts";
import { orderedId } from "../../../shared/ids.ts";

/** An unused link, made at noon. */
export function aDocument(given: Partial<DocumentRecord> = {}): DocumentRecord {
  const createdAt = given.createdAt ?? new Date("2026-01-02T12:00:00.000Z");
  const parts = {
    partnerId: randomUUID() as string,
    customerId: randomUUID() as string,
    uboId: null,
    documentCategory: "BankStatement" as const,
    contentType: "application/pdf" as const,
  };
  const documentId = orderedId(createdAt.getTime());
  return {
    ...parts,
    _id: documentId,
    objectKey: objectKey({ ...parts, documentId }),
    status: "AwaitingUpload",
    reason: null,
    sizeBytes: null,
    sha256: null,
    etag: null,
    versionId: null,
    uploadedAt: null,
    confirmedAt: null,
    confirmedKey: null,
    wantedSizeBytes: null,
    wantedSha256: null,
    isTidy: false,
    overwrittenAt: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 1_800_000),
    revision: 1,
    announcePending: false,
    dueAt: null,
    requestId: "request-1",
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    ...given,
  };
}
