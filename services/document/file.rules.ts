/** Whether a file is what its link was made for, by its size and its first bytes. */
import type { ContentType, RejectionReason } from "../../shared/document-vocabulary.rules.ts";
import type { DocumentRecord } from "./document.rules.ts";

export const MAX_SIZE_BYTES = 20 * 1024 * 1024;

/** How many bytes typeMatches wants to see. */
export const FIRST_BYTES = 8;

/** A file as storage describes it. */
export type StoredFile = {
  sizeBytes: number;
  contentType: string | null;
  etag: string;
  versionId: string | null;
  uploadedAt: Date;
};

const SIGNATURES: Record<ContentType, Buffer> = {
  "application/pdf": Buffer.from("%PDF-"),
  "image/jpeg": Buffer.from([0xff, 0xd8, 0xff]),
  "image/png": Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
};

/** What can be said without reading the file. */
export function describedProblem(
  { sizeBytes, contentType }: StoredFile,
  wanted: { contentType: ContentType; wantedSizeBytes?: number | null },
): RejectionReason | null {
  if (sizeBytes === 0) return "Empty";
  if (sizeBytes > MAX_SIZE_BYTES) return "TooLarge";
  if (contentType !== wanted.contentType) return "WrongType";
  return wanted.wantedSizeBytes && wanted.wantedSizeBytes !== sizeBytes ? "Mismatch" : null;
}

/** Of no use to anybody, unlike a file that its partner may ask about. */
export const isRemovedAtOnce = (reason: DocumentRecord["reason"]): boolean => reason === "TooLarge";

/** The signature must be at the very start: a file that hides one type behind another is refused. */
export const typeMatches = (firstBytes: Buffer, wanted: ContentType): boolean => {
  const signature = SIGNATURES[wanted];
  return firstBytes.subarray(0, signature.length).equals(signature);
};
