/** Files: each that storage took is confirmed, as it was sent, and is still there. */
import type { StoredDocument } from "./checker.rules.ts";
import { grouped } from "./grouped.rules.ts";
import type { Upload } from "./ledger.rules.ts";

/** Times of storage are whole seconds. */
const SECOND_MS = 1_000;

export function uploadViolations(uploads: readonly Upload[], documents: readonly StoredDocument[]): string[] {
  const found = new Map(documents.map((document) => [document.documentId, document]));
  const bySlot = Map.groupBy(documents, ({ slot }) => slot);
  const told = uploads.flatMap((upload) => {
    const document = found.get(upload.documentId);
    const problem = problemOf(upload, document, bySlot.get(document?.slot ?? "") ?? []);
    return problem ? [`${upload.documentId} ${problem}`] : [];
  });
  return grouped("uploaded and not kept", told);
}

function problemOf(
  { verdict, sha256, endedAtMs }: Upload,
  document: StoredDocument | undefined,
  ofSlot: readonly StoredDocument[],
): string | null {
  if (!document) return "is lost";
  const { status, createdAtMs, shownAs, bytesSha256 } = document;
  const wasSuperseded = ofSlot.some(
    (later) => later.createdAtMs > createdAtMs && later.createdAtMs <= endedAtMs + SECOND_MS,
  );
  if (status === "Superseded" && wasSuperseded) return null;
  // A file without an answer of storage may have arrived later, or not.
  if (status !== "Confirmed") return verdict === "acknowledged" ? `is ${status}` : null;
  if (document.sha256 !== sha256) return "is confirmed with another SHA-256";
  if (bytesSha256 !== sha256) return "is confirmed, and storage has other bytes or none";
  return shownAs === status ? null : `is confirmed, and its customer shows ${shownAs ?? "nothing"}`;
}
