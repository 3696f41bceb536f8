/** A note of an analyst for the others: added with its audit entry, and never changed. */

import { isoTime } from "../../../shared/clock.ts";
import type { CaseNote } from "../../../shared/contract/answers/case.ts";
import { AppError } from "../../../shared/errors.ts";
import { orderedId } from "../../../shared/ids.ts";
import type { Deps } from "../deps.ts";
import { findProfile } from "../read/get-profile.ts";
import { readNoteText } from "./case-input.rules.ts";
import { type CaseCall, caseFact } from "./review-case.ts";

/** The customer is one document, and MongoDB holds at most 16 MB in one. */
const MAX_NOTES = 500;

export async function addNote(
  deps: Pick<Deps, "profiles" | "cases" | "erasures" | "audit" | "clock">,
  { customerId, analyst, body, meta }: CaseCall,
): Promise<CaseNote> {
  const profile = await findProfile(deps, customerId);
  const note: CaseNote = {
    noteId: orderedId(deps.clock.now()),
    at: isoTime(deps.clock),
    by: analyst.email,
    text: readNoteText(body),
  };
  const isAdded = await deps.audit.change(meta, async (session) => {
    const value = await deps.cases.addNote(profile, note, { atMost: MAX_NOTES, session });
    const fact = caseFact("case.note_added", profile, null, { noteId: note.noteId });
    return { value, fact: value ? fact : null };
  });
  if (isAdded) return note;
  // It may have been erased meanwhile.
  await findProfile(deps, customerId);
  throw new AppError("Case.TooManyNotes", `A case has at most ${MAX_NOTES} notes.`);
}
