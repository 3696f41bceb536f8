/** Conditions of a partner's change, beyond the body itself. */
import { AppError } from "../../../shared/errors.ts";
import type { Profile } from "../record/profile.types.ts";
import { lockOf } from "../record/verification.rules.ts";

const LOCK_TEXTS = {
  "Customer.UnderReview":
    "An analyst is reviewing this customer; it cannot be changed until the review ends.",
  "Customer.VerificationClosed": "This customer was rejected; it cannot be changed any more.",
} as const;

export function checkLock(profile: Profile): void {
  const refusal = lockOf(profile);
  if (refusal) throw new AppError(refusal, LOCK_TEXTS[refusal]);
}

/** RFC 9110: If-Match holds one or more entity tags, or *. Ours is the version. */
export function checkVersion(ifMatch: string | null, { version }: Profile): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(etagOf(version))) return;
  throw new AppError("Customer.VersionMismatch", `The customer has version ${version} by now.`);
}

export const etagOf = (version: number): string => `"${version}"`;
