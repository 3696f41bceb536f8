/** What a profile makes of the facts it is told about a document, in whatever order they come. */

import { describe, expect, test } from "@jest/globals";
import { summaryOf } from "../../../services/document/document.rules.ts";
import { NO_CHANGES } from "../../../services/profile/change/change-requests.rules.ts";
import { applyDocuments } from "../../../services/profile/change/profile-update.rules.ts";
import { withDocument } from "../../../services/profile/record/documents.rules.ts";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { aDocument } from "../../support/builders/a-document.ts";

const uploadedAt = new Date("2026-01-02T12:01:00.000Z");
const confirmedAt = new Date("2026-01-02T12:01:01.000Z");
const record = aDocument();
const told = (given: Parameters<typeof aDocument>[0]): DocumentSummary => summaryOf({ ...record, ...given });

const CONFIRMED = told({ status: "Confirmed", uploadedAt, confirmedAt });
const REJECTED = told({ status: "Rejected", reason: "Empty", uploadedAt });
const REJECTED_AGAIN = told({ status: "Rejected", reason: "WrongType", uploadedAt: confirmedAt });
const SUPERSEDED = told({ status: "Superseded", uploadedAt });
const DELETED = told({ status: "Missing", reason: "Deleted", uploadedAt, confirmedAt });
const OVERWRITTEN = told({ status: "Missing", reason: "Overwritten", uploadedAt, confirmedAt });

describe("withDocument", () => {
  test.each([
    ["nothing, then confirmed", [CONFIRMED], CONFIRMED],
    ["rejected, then confirmed", [REJECTED, CONFIRMED], CONFIRMED],
    ["confirmed, then an old rejection", [CONFIRMED, REJECTED], CONFIRMED],
    ["confirmed, then an old superseding", [CONFIRMED, SUPERSEDED], CONFIRMED],
    ["rejected twice for different reasons", [REJECTED, REJECTED_AGAIN], REJECTED_AGAIN],
    ["confirmed, then deleted", [CONFIRMED, DELETED], DELETED],
    ["deleted, then overwritten", [CONFIRMED, DELETED, OVERWRITTEN], OVERWRITTEN],
    ["deleted, then back", [CONFIRMED, DELETED, CONFIRMED], CONFIRMED],
    ["deleted, then an old rejection", [CONFIRMED, DELETED, REJECTED], DELETED],
  ])("%s: knows the last of them that counts", (_, facts, known) => {
    expect(facts.reduce<DocumentSummary[]>(withDocument, [])).toEqual([known]);
  });

  test.each([CONFIRMED, REJECTED, SUPERSEDED, DELETED])("$status told twice: is the same list", (fact) => {
    const once = withDocument([], fact);
    expect(withDocument(once, fact)).toBe(once);
  });
});

test("applyDocuments: a file that comes back was confirmed before, and is not confirmed anew", () => {
  const next = { documents: [DELETED] } as Profile;
  const update = applyDocuments({ next, changes: NO_CHANGES }, [CONFIRMED]);
  expect(update.next.documents).toEqual([CONFIRMED]);
  expect(update.changes.confirmed).toEqual([]);
});
