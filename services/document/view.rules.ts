/** How a browser shows a confirmed file, and which documents have none to show. */
import type { ViewLink } from "../../shared/contract/answers/document.ts";
import { AppError } from "../../shared/errors.ts";
import type { DocumentRecord } from "./document.rules.ts";

/** Long enough to be opened, too short to be worth passing on. */
export const VIEW_SECONDS = 60;

/** A browser only draws these: all that are accepted today. Any other type, such as HTML, would run where storage is. */
const SHOWN_IN_PLACE: ReadonlySet<string> = new Set(["application/pdf", "image/jpeg", "image/png"]);

export const dispositionOf = (contentType: string): ViewLink["disposition"] =>
  SHOWN_IN_PLACE.has(contentType) ? "inline" : "attachment";

/** The category and the type, as the place of the upload is called: no caller chose a letter of it. */
export const fileNameOf = ({ objectKey }: Pick<DocumentRecord, "objectKey">): string =>
  objectKey.slice(objectKey.lastIndexOf("/") + 1);

/** A signature counts in whole seconds. */
export const viewEndsAt = (signedAt: Date): Date =>
  new Date((Math.floor(signedAt.getTime() / 1_000) + VIEW_SECONDS) * 1_000);

export const noSuchDocument = (): AppError =>
  new AppError("Document.NotFound", "This customer has no such document.", {}, 404);

export const fileIsLost = (): AppError =>
  new AppError("Document.NotUploaded", "The confirmed file is no longer in storage.");

/** Null when there is a confirmed file to show. */
export function viewRefusal({ status }: Pick<DocumentRecord, "status">): AppError | null {
  if (status === "Confirmed") return null;
  if (status === "Missing") return fileIsLost();
  if (status === "Rejected")
    return new AppError("Document.Rejected", "The uploaded file was rejected; there is none to look at.");
  return new AppError("Document.NotUploaded", "There is no confirmed file of this document.");
}
