/** Reviews that a test partner asks for: outcomes on demand, and company names that decide by themselves. */
import type { Decision } from "../../../shared/contract/answers/verification.ts";
import type { Profile } from "../record/profile.types.ts";
import { foldedName } from "../record/text.rules.ts";
import type { RequestedChange } from "./case-input.rules.ts";
import { SELF_DECIDING_NAMES, type SimulatedOutcome } from "./sandbox.schemas.ts";

const BY_KEY: ReadonlyMap<string, SimulatedOutcome> = new Map(
  Object.entries(SELF_DECIDING_NAMES).map(([name, outcome]) => [foldedName(name), outcome]),
);

export const SELF_DECIDING_KEYS: readonly string[] = [...BY_KEY.keys()];

/** Changes are asked for once; what the partner answers is approved. */
export function outcomeByName({
  companyNameKey,
  history,
}: Pick<Profile, "companyNameKey" | "history">): SimulatedOutcome | null {
  const outcome = BY_KEY.get(companyNameKey) ?? null;
  const wasAsked = history.some(({ status }) => status === "ChangesRequested");
  return outcome === "ChangesRequested" && wasAsked ? "Approved" : outcome;
}

/** Default reasons of a simulated review. */
export const SIMULATED_REASONS: Decision["reasons"] = [
  { code: "Risk.PolicyDecision", message: "Rejected in the sandbox." },
];
export const SIMULATED_CHANGES: RequestedChange[] = [
  {
    target: { kind: "Document", uboId: null, documentCategory: "CertificateOfIncorporation", field: null },
    reasonCode: "Document.Unreadable",
    message: "Asked for in the sandbox.",
  },
];
