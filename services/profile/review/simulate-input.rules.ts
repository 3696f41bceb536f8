/** Judges what a test partner wants to be decided. */
import type { Decision } from "../../../shared/action-types/customer.ts";
import type { DocumentSummary } from "../../../shared/action-types/document.ts";
import { compileCheck } from "../../../shared/input/validation.ts";
import { refuse } from "../input/violations.rules.ts";
import { livePeople } from "../record/live-people.rules.ts";
import type { Profile } from "../record/profile.types.ts";
import { pass, type RequestedChange, readReasons, readRequestedChanges } from "./case-input.rules.ts";
import { SIMULATED_CHANGES, SIMULATED_REASONS } from "./sandbox.rules.ts";
import { type SimulatedOutcome, simulateSchema } from "./sandbox.schemas.ts";

const CODE = "ValidationControl.Error";
const checkBody = compileCheck(simulateSchema, CODE);

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

export function readSimulation(body: unknown, profile: Profile): Simulation {
  pass(checkBody, body);
  const { outcome = null, reasons, items, documents } = body as Partial<Simulation> & { items?: unknown };
  const files = (documents ?? []).map(({ documentCategory, status, uboId, reason }) => ({
    documentCategory,
    status,
    uboId: uboId?.toLowerCase() ?? null,
    reason: status === "Rejected" ? (reason ?? "WrongType") : null,
  }));
  if (outcome === null && files.length === 0)
    throw refuse([{ field: "outcome", code: CODE, message: "is required unless documents are given" }]);
  checkPeople(files, profile);
  return {
    outcome,
    reasons: reasons ? readReasons({ reasons }) : SIMULATED_REASONS,
    requested: items ? readRequestedChanges({ items }, profile) : SIMULATED_CHANGES,
    documents: files,
  };
}

function checkPeople(files: readonly DocumentOutcome[], { people }: Profile): void {
  const known = new Set(livePeople(people).map(({ uboId }) => uboId));
  const faults = files.flatMap(({ uboId }, index) =>
    uboId === null || known.has(uboId)
      ? []
      : [
          {
            field: `documents[${index}].uboId`,
            code: "Ubo.NotFound",
            message: "is not a person of this customer",
          },
        ],
  );
  if (faults.length > 0) throw refuse(faults);
}
