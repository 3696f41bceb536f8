/** Upload links: how long they are valid, how they are shown, and when a newer one supersedes them. */
import {
  MAX_SIZE_BYTES,
  type UploadHeaders,
  type UploadLink,
} from "../../shared/contract/answers/document.ts";
import { UPLOAD_LINK_SECONDS } from "../../shared/contract/durations.ts";
import type { ContentType, DocumentCategory } from "../../shared/contract/vocabularies.ts";
import { AppError, INVALID, type Violation } from "../../shared/errors.ts";
import { timeOfId } from "../../shared/ids.ts";
import { compileUnknown } from "../../shared/input/unknown-properties.rules.ts";
import { compileCheck } from "../../shared/input/validation.ts";
import { isRecord } from "../../shared/is-record.ts";
import { type DocumentRecord, isPersonCategory, NO_FILE, objectKey } from "./document.rules.ts";
import { uploadLinkBody } from "./document.schemas.ts";
import { type Looks, nextLookAt } from "./schedule.rules.ts";

/** Over the life of a customer: its record lists its documents, and MongoDB holds at most 16 MB in one. */
export const MAX_LINKS = 2_000;

/** RFC 9745: since when ownershipDetailId is deprecated (2025-01-01). */
export const ALIAS_DEPRECATION = "@1735689600";

export type LinkBody = {
  documentCategory: DocumentCategory;
  contentType: ContentType;
  uboId?: string | null;
  sizeBytes?: number | null;
  sha256?: string | null;
  ownershipDetailId?: string | null;
};

type Holder = { documentCategory?: unknown; uboId?: unknown; ownershipDetailId?: unknown };

/** The person the file is about: uboId, or its deprecated name. Null, "" and absent are the same. */
export function holderOf(body: Holder): string | null {
  const given = body.uboId || body.ownershipDetailId;
  return typeof given === "string" ? given.toLowerCase() : null;
}

const checkBody = compileCheck(uploadLinkBody, INVALID);
const unknownInBody = compileUnknown(uploadLinkBody);

export function linkViolations(body: unknown): Violation[] {
  const violations = checkBody(body);
  const named = new Set(violations.map(({ field }) => field));
  const others = isRecord(body) ? holderProblems(body).filter(({ field }) => !named.has(field)) : [];
  return [...violations, ...others];
}

export const linkWarnings = (body: unknown): Violation[] =>
  isRecord(body) ? [...unknownInBody(body), ...holderWarnings(body)] : [];

export function holderProblems(body: Holder): Violation[] {
  const { uboId, ownershipDetailId, documentCategory } = body;
  if (uboId && ownershipDetailId && String(uboId).toLowerCase() !== String(ownershipDetailId).toLowerCase())
    return [{ field: "ownershipDetailId", code: INVALID, message: "must equal uboId when both are given" }];
  if (!uboId && !ownershipDetailId && isPersonCategory(documentCategory as DocumentCategory))
    return [{ field: "uboId", code: INVALID, message: `is required for ${documentCategory}` }];
  return [];
}

/** A file about the business that names a person: taken, but no slot of that person asks for it. */
export function holderWarnings(body: Holder): Violation[] {
  const { documentCategory: category } = body;
  if (holderOf(body) === null || isPersonCategory(category as DocumentCategory)) return [];
  return [
    {
      field: body.uboId ? "uboId" : "ownershipDetailId",
      code: "Document.NotForPerson",
      message: `names a person, and ${category} is about the business`,
    },
  ];
}

type NewLink = Pick<DocumentRecord, "partnerId" | "customerId" | "uboId" | "requestId" | "traceparent"> & {
  body: LinkBody;
};

export function newDocument(documentId: string, { body, ...given }: NewLink, looks: Looks): DocumentRecord {
  const { documentCategory, contentType, sizeBytes = null, sha256 = null } = body;
  const slot = { ...given, documentCategory, contentType };
  const createdAt = new Date(timeOfId(documentId));
  // A signature counts in whole seconds.
  const expiresAt = new Date((Math.floor(createdAt.getTime() / 1_000) + UPLOAD_LINK_SECONDS) * 1_000);
  return {
    ...slot,
    _id: documentId,
    objectKey: objectKey({ ...slot, documentId }),
    wantedSizeBytes: sizeBytes,
    wantedSha256: sha256?.toLowerCase() ?? null,
    ...NO_FILE,
    status: "AwaitingUpload",
    uploadedAt: null,
    confirmedAt: null,
    isTidy: false,
    overwrittenAt: null,
    createdAt,
    expiresAt,
    revision: 1,
    announcePending: false,
    dueAt: nextLookAt({ createdAt, expiresAt }, createdAt, looks),
  };
}

/** The signature includes all headers: storage takes an upload with exactly these. */
export const uploadHeaders = ({
  contentType,
  wantedSizeBytes,
  wantedSha256,
}: Pick<DocumentRecord, "contentType" | "wantedSizeBytes" | "wantedSha256">): UploadHeaders => ({
  "Content-Type": contentType,
  ...(wantedSizeBytes ? { "Content-Length": String(wantedSizeBytes) } : {}),
  ...(wantedSha256 ? { "x-amz-checksum-sha256": Buffer.from(wantedSha256, "hex").toString("base64") } : {}),
});

export const describeLink = (record: DocumentRecord, uploadUrl: string): UploadLink => ({
  documentId: record._id,
  uploadUrl,
  method: "PUT",
  headers: uploadHeaders(record),
  expiresAt: record.expiresAt.toISOString(),
  expiresInSeconds: UPLOAD_LINK_SECONDS,
  maxSizeBytes: MAX_SIZE_BYTES,
  documentCategory: record.documentCategory,
  contentType: record.contentType,
  uboId: record.uboId,
});

/** The next link of a slot supersedes this one unless its upload had ended: judged on arrival (DECISIONS). */
export const isSuperseded = (finishedAt: Date, nextLinkAt: Date | null): boolean =>
  nextLinkAt !== null && finishedAt > nextLinkAt;

export const tooManyLinks = (): AppError =>
  invalidLinkRequest([
    {
      field: "",
      code: INVALID,
      message: `this customer has had ${MAX_LINKS} upload links, which is as many as a customer can have`,
    },
  ]);

export const invalidLinkRequest = (details: readonly Violation[]): AppError =>
  new AppError(INVALID, "The request for an upload link is not valid.", { details });
