/** A partner's update of its own customer: judged, guarded, applied and answered; again when another change was faster. */
import type { CustomerChange } from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import type { PeopleContext } from "../input/people.rules.ts";
import type { Judged } from "../input/profile-input.rules.ts";
import { refuseUpdate, type Warned } from "../input/violations.rules.ts";
import { findOwnProfile } from "../read/get-profile.ts";
import type { Profile } from "../record/profile.types.ts";
import { dayOf } from "../record/text.rules.ts";
import { lockOf } from "../record/verification.rules.ts";
import { changeProfile } from "./change-profile.ts";
import type { Changes } from "./change-requests.rules.ts";
import { finishUpdate } from "./finish-update.rules.ts";
import { type CallOrigin, updatedFacts } from "./profile-events.rules.ts";
import type { PeopleTools, Update } from "./profile-update.rules.ts";
import { peopleTools } from "./seal-people.ts";

export type UpdateCall = {
  partnerId: string;
  customerId: string;
  body: unknown;
  isStrict: boolean;
  ifMatch: string | null;
  origin: CallOrigin;
};

type Applied = Update & { confirmed?: readonly DocumentSummary[] };

type OwnUpdate<I, A> = {
  action: "replace" | "patch" | "person";
  judge(profile: Profile, tools: PeopleTools, context: PeopleContext): Judged<I>;
  apply(profile: Profile, input: I, tools: PeopleTools, at: string): Promise<Applied> | Applied;
  detail(applied: Applied): Record<string, unknown>;
  answer(stored: Profile, changes: Changes, input: I): A;
};

export function updateOwn<I, A>(
  deps: Deps,
  { partnerId, customerId, origin, isStrict, ifMatch }: UpdateCall,
  { action, judge, apply, detail, answer }: OwnUpdate<I, A>,
): Promise<Warned<A>> {
  const context = { countries: deps.countries.directory(), today: dayOf(deps.clock.now()), isStrict };
  return changeProfile(deps, {
    customerId,
    origin,
    read: () => findOwnProfile(deps, partnerId, customerId),
    async decide(profile, at) {
      const tools = peopleTools(deps, profile, at);
      const { input, violations, warnings } = judge(profile, tools, context);
      if (!input) throw refuseUpdate(violations);
      checkVersion(ifMatch, profile);
      checkLock(profile);
      const applied = await apply(profile, input, tools, at);
      const { changes, confirmed = [] } = applied;
      const after = finishUpdate(profile, applied, action === "replace" ? "replace" : "patch", at);
      return {
        after,
        facts: after ? updatedFacts(profile, after, changes, confirmed) : [],
        action,
        detail: detail(applied),
        answer: (stored) => ({ value: answer(stored, changes, input), warnings }),
      };
    },
  });
}

export const changeAnswer = ({
  _id,
  partnerCustomerId,
  verificationStatus,
  version,
}: Profile): CustomerChange => ({ customerId: _id, partnerCustomerId, verificationStatus, version });

const LOCK_TEXTS = {
  "Customer.UnderReview":
    "An analyst is reviewing this customer; it cannot be changed until the review ends.",
  "Customer.VerificationClosed": "This customer was rejected; it cannot be changed any more.",
} as const;

export function checkLock(profile: Profile): void {
  const refusal = lockOf(profile);
  if (refusal) throw new AppError(refusal, LOCK_TEXTS[refusal]);
}

/** RFC 9110: If-Match has one or more entity tags, or *. Ours is the version. */
export function checkVersion(ifMatch: string | null, { version }: Profile): void {
  if (ifMatch === null) return;
  const tags = ifMatch.split(",").map((tag) => tag.trim());
  if (tags.includes("*") || tags.includes(etagOf(version))) return;
  throw new AppError("Customer.VersionMismatch", `The customer now has version ${version}.`);
}

export const etagOf = (version: number): string => `"${version}"`;
