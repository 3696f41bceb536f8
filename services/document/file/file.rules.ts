/** Judges by the description of storage whether a file fits its upload link. */
import { MAX_SIZE_BYTES } from "../../../shared/contract/answers/document.ts";
import type { ContentType, RejectionReason } from "../../../shared/contract/vocabularies.ts";
import type { DocumentRecord } from "../document.rules.ts";
import type { StoredFile } from "../storage/storage.ts";

/** The problem that shows without reading the file. */
export function describedProblem(
  { sizeBytes, contentType }: StoredFile,
  wanted: { contentType: ContentType; wantedSizeBytes?: number | null },
): RejectionReason | null {
  if (sizeBytes === 0) return "Empty";
  if (sizeBytes > MAX_SIZE_BYTES) return "TooLarge";
  if (contentType !== wanted.contentType) return "WrongType";
  return wanted.wantedSizeBytes && wanted.wantedSizeBytes !== sizeBytes ? "Mismatch" : null;
}

/** True for a useless or dangerous file, unlike a file that its partner may ask about. */
export const isRemovedAtOnce = (reason: DocumentRecord["reason"]): boolean =>
  reason === "TooLarge" || reason === "Malware";
