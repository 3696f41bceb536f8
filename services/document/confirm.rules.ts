/** How a list of documents is refused: one code for the call, every problem in its details. */
import { AppError } from "../../shared/errors.ts";

/** The gravest first: it is the code of the whole refusal. */
const CODES = [
  "Document.NotFound",
  "Document.AccessDenied",
  "Document.Rejected",
  "Document.NotUploaded",
] as const;

const TEXTS: Record<(typeof CODES)[number], string> = {
  "Document.NotFound": "There is no document with this id.",
  "Document.AccessDenied": "This document belongs to another customer.",
  "Document.Rejected": "The uploaded file was rejected; ask for a new link and upload another.",
  "Document.NotUploaded": "No file was uploaded for this document.",
};

export type ConfirmRefusal = { index: number; code: (typeof CODES)[number] };

export function refusalError(refusals: readonly ConfirmRefusal[]): AppError {
  const code = refusals.map((refusal) => refusal.code).reduce(graver);
  const details = [...refusals]
    .sort((a, b) => a.index - b.index)
    .map(({ index, code: each }) => ({
      field: `businessDocumentIdList[${index}]`,
      code: each,
      message: TEXTS[each],
    }));
  return new AppError(code, TEXTS[code], { details });
}

type Code = ConfirmRefusal["code"];
const graver = (a: Code, b: Code): Code => (CODES.indexOf(a) <= CODES.indexOf(b) ? a : b);
