/** Documents of a customer, their upload links and their view links. */
import {
  type Answer,
  always,
  described,
  id,
  named,
  number,
  oneOf,
  openList,
  orNull,
  record,
  text,
  time,
  uri,
  withOptional,
} from "../answer-schema.ts";
import { UPLOAD_LINK_SECONDS } from "../durations.ts";
import {
  CONTENT_TYPES,
  type ContentType,
  DOCUMENT_CATEGORIES,
  type DocumentCategory,
  type DocumentStatus,
  type MissingReason,
  type RejectionReason,
} from "../vocabularies.ts";

export const MAX_SIZE_BYTES = 20 * 1024 * 1024;

const documentFields = {
  documentId: id,
  documentCategory: openList<DocumentCategory>(),
  contentType: openList<ContentType>(),
  sizeBytes: orNull(number),
  uboId: orNull(id),
  status: openList<DocumentStatus>(),
  reason: orNull(openList<RejectionReason | MissingReason>()),
  uploadedAt: orNull(time),
  confirmedAt: orNull(time),
};
export const DOCUMENT_FIELDS = Object.keys(documentFields) as (keyof DocumentSummary)[];
export const documentValue = named("Document", record(documentFields));
export type DocumentSummary = Answer<typeof documentValue>;

const uploadHeaders = withOptional(record({ "Content-Type": text }), {
  "Content-Length": described(text, "If sizeBytes was given. Most HTTP clients set this header themselves."),
  "x-amz-checksum-sha256": described(text, "If sha256 was given."),
});
export type UploadHeaders = Answer<typeof uploadHeaders>;

export const uploadLinkValue = record({
  documentId: described(id, "Send it as documentUploadId, or in businessDocumentIdList."),
  uploadUrl: uri,
  method: always("PUT"),
  headers: described(uploadHeaders, "Send all of them unchanged: the link is signed with them."),
  expiresAt: time,
  expiresInSeconds: always(UPLOAD_LINK_SECONDS),
  maxSizeBytes: always(MAX_SIZE_BYTES),
  documentCategory: named("DocumentCategory", oneOf(DOCUMENT_CATEGORIES)),
  contentType: named("ContentType", oneOf(CONTENT_TYPES)),
  uboId: orNull(id),
});
export type UploadLink = Answer<typeof uploadLinkValue>;

export const viewLinkValue = record({
  url: uri,
  contentType: oneOf(CONTENT_TYPES),
  disposition: oneOf(["inline", "attachment"]),
  fileName: text,
  expiresAt: time,
});
export type ViewLink = Answer<typeof viewLinkValue>;

export const viewLinkExample = {
  url: "https://storage.example.com/documents/3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c/0190a5d3-1f0a-7c2b-8e4d-6a5b4c3d2e1f/business/0190a5d4-7c1e-7b3a-9d8e-5f2c1a6b4d3e/8f14e45f-ceea-467f-9b3d-0c2a1d4e5f60.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Expires=60",
  contentType: "application/pdf",
  disposition: "inline",
  fileName: "CertificateOfIncorporation.pdf",
  expiresAt: "2026-01-15T10:01:00.000Z",
};
