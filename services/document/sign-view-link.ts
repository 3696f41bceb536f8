/** Signs a link to exactly the file that was confirmed. */
import type { ViewLink } from "../../shared/contract/answers/document.ts";
import { AppError } from "../../shared/errors.ts";
import type { Deps } from "./deps.ts";
import { type DocumentRecord, fileKey } from "./document.rules.ts";

/** Long enough to be opened, too short to be worth passing on. */
const VIEW_SECONDS = 60;

/** A browser only draws these types: all that are accepted. Any other, such as HTML, would run where storage is. */
const SHOWN_IN_PLACE: ReadonlySet<string> = new Set(["application/pdf", "image/jpeg", "image/png"]);

export async function signViewLink(
  { repository, storage, clock }: Deps,
  { customerId, documentId }: { customerId: string; documentId: string },
): Promise<ViewLink> {
  const record = await repository.find(String(documentId));
  if (!record || record.customerId !== customerId)
    throw new AppError("Document.NotFound", "This customer has no such document.", {}, 404);
  const { status, contentType, versionId, objectKey } = record;
  if (status !== "Confirmed") throw notToShow(status);
  const key = fileKey(record);
  // A link cannot require an ETag: in a bucket without versions only this check finds another file.
  const file = await storage.describe(key, versionId ?? undefined);
  if (file?.etag !== record.etag) throw notToShow("Missing");
  const disposition = SHOWN_IN_PLACE.has(contentType) ? "inline" : "attachment";
  // Category and type, as the key of the upload ends: no caller chose a letter of it.
  const fileName = objectKey.slice(objectKey.lastIndexOf("/") + 1);
  const signedAt = new Date(clock.now());
  const url = await storage.signView(key, {
    versionId,
    contentType,
    disposition: `${disposition}; filename="${fileName}"`,
    signedAt,
    seconds: VIEW_SECONDS,
  });
  // A signature counts in whole seconds.
  const expiresAt = new Date((Math.floor(signedAt.getTime() / 1_000) + VIEW_SECONDS) * 1_000);
  return { url, contentType, disposition, fileName, expiresAt: expiresAt.toISOString() };
}

function notToShow(status: DocumentRecord["status"]): AppError {
  if (status === "Missing")
    return new AppError("Document.NotUploaded", "The confirmed file is no longer in storage.");
  if (status === "Rejected")
    return new AppError("Document.Rejected", "The uploaded file was rejected; there is none to look at.");
  return new AppError("Document.NotUploaded", "There is no confirmed file of this document.");
}
