/** Upload links: how long they are valid, how they are shown, and when a newer one supersedes them. */
import type { UploadHeaders, UploadLink } from "../../shared/contract/answers/document.ts";
import { MAX_SIZE_BYTES } from "../../shared/contract/answers/document.ts";
import { UPLOAD_LINK_SECONDS } from "../../shared/contract/durations.ts";
import type { DocumentCategory } from "../../shared/contract/vocabularies.ts";
import { AppError, type Violation } from "../../shared/errors.ts";
import { type DocumentRecord, isPersonCategory } from "./document.rules.ts";

/** Over the life of a customer: its record lists its documents, and MongoDB holds at most 16 MB in one. */
export const MAX_LINKS = 2_000;

/** RFC 9745: since when ownershipDetailId is deprecated (2025-01-01). */
export const ALIAS_DEPRECATION = "@1735689600";

const CODE = "ValidationControl.Error";

type Holder = { documentCategory?: unknown; uboId?: unknown; ownershipDetailId?: unknown };

/** The person the file is about: uboId, or its deprecated name. Null, "" and absent are the same. */
export function holderOf(body: Holder): string | null {
  const given = body.uboId || body.ownershipDetailId;
  return typeof given === "string" ? given.toLowerCase() : null;
}

export function holderProblems(body: Holder): Violation[] {
  const { uboId, ownershipDetailId, documentCategory } = body;
  if (uboId && ownershipDetailId && String(uboId).toLowerCase() !== String(ownershipDetailId).toLowerCase())
    return [{ field: "ownershipDetailId", code: CODE, message: "must equal uboId when both are given" }];
  if (!uboId && !ownershipDetailId && isPersonCategory(documentCategory as DocumentCategory))
    return [{ field: "uboId", code: CODE, message: `is required for ${documentCategory}` }];
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

/** All of them are signed: storage takes an upload with exactly these. */
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

/**
 * The next link of a slot supersedes this one, unless its upload was finished by then. Judged when the file arrives,
 * not when the next link is made: a file in storage whose notice is still on its way must not be lost.
 */
export const isSuperseded = (finishedAt: Date, nextLinkAt: Date | null): boolean =>
  nextLinkAt !== null && finishedAt > nextLinkAt;

export const tooManyLinks = (): AppError =>
  invalidLinkRequest([
    {
      field: "",
      code: CODE,
      message: `this customer has had ${MAX_LINKS} upload links, which is as many as a customer can have`,
    },
  ]);

export const invalidLinkRequest = (details: readonly Violation[]): AppError =>
  new AppError(CODE, "The request for an upload link is not valid.", { details });
