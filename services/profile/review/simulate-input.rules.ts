/** Judges the body of a simulated review. */

import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { Decision } from "../../../shared/contract/answers/verification.ts";
import { type DocumentCategory, PERSON_DOCUMENT_CATEGORIES } from "../../../shared/contract/vocabularies.ts";
import { asViolation, INVALID, type Violation } from "../../../shared/errors.ts";
import { compileUnknown } from "../../../shared/input/unknown-properties.rules.ts";
import { compileCheck } from "../../../shared/input/validation.ts";
import { refuse } from "../input/violations.rules.ts";
import { livePeople } from "../record/people.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { checked, type RequestedChange, readReasons, readRequestedChanges } from "./case-input.rules.ts";
import { SIMULATED_CHANGES, SIMULATED_REASONS } from "./sandbox.rules.ts";
import { type SimulatedOutcome, simulateSchema } from "./sandbox.schemas.ts";

const checkBody = compileCheck(simulateSchema, INVALID);
const unknownInBody = compileUnknown(simulateSchema);

type DocumentOutcome = Pick<DocumentSummary, "documentCategory"> & {
  uboId: string | null;
  status: "Confirmed" | "Rejected";
  reason: DocumentSummary["reason"];
};
export type Simulation = {
  outcome: SimulatedOutcome | null;
  reasons: Decision["reasons"];
  requested: RequestedChange[];
  documents: DocumentOutcome[];
};

/** With `isStrict` a warning is a violation, as in every other write. */
export function readSimulation(
  body: unknown,
  profile: Profile,
  isStrict: boolean,
): { simulation: Simulation; warnings: Violation[] } {
  const given = checked<Partial<Simulation> & { items?: unknown }>(checkBody, body);
  const { outcome = null, reasons, items, documents } = given;
  const files = (documents ?? []).map(({ documentCategory, status, uboId, reason }) => ({
    documentCategory,
    status,
    uboId: uboId?.toLowerCase() ?? null,
    reason: status === "Rejected" ? (reason ?? "WrongType") : null,
  }));
  if (outcome === null && files.length === 0)
    throw refuse([{ field: "outcome", code: INVALID, message: "is required unless documents are given" }]);
  const warnings = [...unknownInBody(body), ...ownerWarnings(files)];
  const violations = [...ownerViolations(files, profile), ...(isStrict ? warnings.map(asViolation) : [])];
  if (violations.length > 0) throw refuse(violations);
  const simulation = {
    outcome,
    reasons: reasons ? readReasons({ reasons }) : SIMULATED_REASONS,
    requested: items ? readRequestedChanges({ items }, profile) : SIMULATED_CHANGES,
    documents: files,
  };
  return { simulation, warnings };
}

const isAboutPerson = (category: DocumentCategory): boolean =>
  (PERSON_DOCUMENT_CATEGORIES as readonly string[]).includes(category);

function ownerViolations(files: readonly DocumentOutcome[], { people }: Profile): Violation[] {
  const known = new Set(livePeople(people).map(({ uboId }) => uboId));
  return files.flatMap(({ uboId, documentCategory }, index) => {
    const field = `documents[${index}].uboId`;
    if (uboId === null)
      return isAboutPerson(documentCategory)
        ? [{ field, code: INVALID, message: `is required for ${documentCategory}` }]
        : [];
    return known.has(uboId)
      ? []
      : [{ field, code: "Ubo.NotFound", message: "is not a person of this customer" }];
  });
}

/** As for an upload link: the body names a person, and the category is about the business. */
const ownerWarnings = (files: readonly DocumentOutcome[]): Violation[] =>
  files.flatMap(({ uboId, documentCategory }, index) =>
    uboId === null || isAboutPerson(documentCategory)
      ? []
      : [
          {
            field: `documents[${index}].uboId`,
            code: "Document.NotForPerson",
            message: `names a person, and ${documentCategory} is about the business`,
          },
        ],
  );
