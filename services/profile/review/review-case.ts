/** The steps of an analyst. Each is one compare-and-set on the customer, with its audit entry and its event. */

import type { AuditFact, AuditFacts } from "../../../shared/contract/answers/audit.ts";
import type { CaseSummary } from "../../../shared/contract/answers/case.ts";
import type { ChangeRequest, Decision } from "../../../shared/contract/answers/verification.ts";
import { AppError } from "../../../shared/errors.ts";
import type { AnalystCaller, CallMeta } from "../../../shared/identity/caller.ts";
import { orderedId } from "../../../shared/ids.ts";
import { changeProfile } from "../change/change-profile.ts";
import { countOpen } from "../change/change-requests.rules.ts";
import { withState } from "../change/finish-update.rules.ts";
import type { CallOrigin } from "../change/profile-events.rules.ts";
import { verificationFacts } from "../change/profile-events.rules.ts";
import { checkVersion } from "../change/update-own.ts";
import type { Deps } from "../deps.ts";
import { findProfile } from "../read/get-profile.ts";
import type { Profile } from "../record/profile.types.ts";
import { CLAIM_LEASE_MS, type Refusal, type Trigger, transition } from "../record/verification.rules.ts";
import { caseSummary } from "./case.view.ts";
import { type RequestedChange, readNote, readReasons, readRequestedChanges } from "./case-input.rules.ts";

export type CaseCall = {
  customerId: string;
  analyst: AnalystCaller;
  body: unknown;
  /** The version that the analyst decides on; null is whatever there is. */
  ifMatch: string | null;
  origin: CallOrigin;
  meta: CallMeta;
};
type StepKind = Exclude<Trigger["kind"], "create" | "update" | "document">;
type Result = { after: Profile; detail?: Record<string, unknown>; words?: Record<string, unknown> };

export const claimCase = (deps: Deps, call: CaseCall) =>
  takeStep(deps, call, "claim", (profile, at) => ({
    after: {
      ...profile,
      claim: {
        analystId: call.analyst.userId,
        analystEmail: call.analyst.email,
        claimedAt: at,
        leaseUntil: new Date(Date.parse(at) + CLAIM_LEASE_MS).toISOString(),
      },
    },
  }));

export const releaseCase = (deps: Deps, call: CaseCall) =>
  takeStep(deps, call, "release", (profile) => ({
    after: { ...profile, claim: null },
    ...(isColleagues(profile, call.analyst) ? { detail: { releasedFrom: profile.claim?.analystEmail } } : {}),
  }));

export const requestChanges = (deps: Deps, call: CaseCall) =>
  takeStep(deps, call, "requestChanges", (profile, at) => {
    const requested = readRequestedChanges(call.body, profile);
    const after = withRequests(profile, requested, at, () => orderedId(deps.clock.now()));
    const changeRequestIds = after.changeRequests
      .slice(profile.changeRequests.length)
      .map(({ changeRequestId }) => changeRequestId);
    return { after, detail: { changeRequestIds } };
  });

export function withRequests(
  profile: Profile,
  requested: readonly RequestedChange[],
  at: string,
  newId: () => string,
): Profile {
  const added = requested.map(
    (item): ChangeRequest => ({
      changeRequestId: newId(),
      ...item,
      status: "Open",
      requestedAt: at,
      respondedAt: null,
    }),
  );
  const changeRequests = [...profile.changeRequests, ...added];
  return { ...profile, claim: null, changeRequests, openChangeRequestCount: countOpen(changeRequests) };
}

export const approveCase = (deps: Deps, call: CaseCall) =>
  takeStep(deps, call, "approve", (profile, at) => {
    const note = readNote(call.body);
    return {
      after: decided(profile, { outcome: "Approved", reasons: [] }, at),
      words: note ? { note } : {},
    };
  });

export const rejectCase = (deps: Deps, call: CaseCall) =>
  takeStep(deps, call, "reject", (profile, at) => {
    const reasons = readReasons(call.body);
    return {
      after: decided(profile, { outcome: "Rejected", reasons }, at),
      detail: { reasonCodes: reasons.map(({ code }) => code) },
    };
  });

/** Requests still open are withdrawn. */
export const decided = (profile: Profile, decision: Decision, at: string): Profile => ({
  ...profile,
  claim: null,
  decision,
  decidedAt: at,
  changeRequests: profile.changeRequests.map((request) =>
    request.status === "Open" ? { ...request, status: "Withdrawn" } : request,
  ),
  openChangeRequestCount: 0,
});

function takeStep(
  deps: Deps,
  call: CaseCall,
  kind: StepKind,
  work: (profile: Profile, at: string) => Result,
): Promise<CaseSummary> {
  return changeProfile(deps, {
    customerId: call.customerId,
    origin: call.origin,
    audited: {
      meta: call.meta,
      fact: (before, after, detail) =>
        caseFact(`case.${kind}`, after, stateOf(before), { ...stateOf(after), ...detail }),
    },
    read: () => findProfile(deps, call.customerId),
    decide(profile, at) {
      const isRenewal = kind === "claim" && profile.claim?.analystId === call.analyst.userId;
      const step = isRenewal ? { next: profile } : transition(profile, { kind });
      if (kind !== "claim") checkOwner(profile, call.analyst, kind);
      if ("refusal" in step) throw refused(step.refusal, profile);
      if (kind !== "claim" && kind !== "release") checkVersion(call.ifMatch, profile);
      const { after, detail = {}, words = {} } = work(profile, at);
      const next = { ...withState(after, step.next, at), version: profile.version + 1, updatedAt: at };
      return {
        after: next,
        facts: verificationFacts(profile, next),
        action: kind,
        detail,
        words,
        answer: caseSummary,
      };
    },
  });
}

/** In no partner's list: who of the operator looks at a case is not for partners. */
export const caseFact = (
  action: string,
  { _id, partnerId }: Profile,
  before: AuditFacts | null,
  after: AuditFacts | null,
): AuditFact => ({ action, partnerId: null, subject: _id, before, after: { partnerId, ...after } });

const stateOf = ({ verificationStatus, reviewStage }: Profile) => ({ verificationStatus, reviewStage });

/** A lead analyst may give back what a colleague who is away has claimed, and decide nothing of it. */
function checkOwner(profile: Profile, analyst: AnalystCaller, kind: StepKind): void {
  if (isColleagues(profile, analyst) && !(kind === "release" && analyst.isLead))
    throw new AppError("Case.NotOwner", "Another analyst has claimed this case.");
}

const isColleagues = ({ claim }: Profile, { userId }: AnalystCaller): boolean =>
  claim !== null && claim.analystId !== userId;

export function refused(refusal: Refusal, { verificationStatus, reviewStage }: Profile): AppError {
  if (refusal === "Case.AlreadyClaimed")
    return new AppError(refusal, "Another analyst has claimed this case.");
  return new AppError(
    "Case.InvalidState",
    `The case is ${verificationStatus} (${reviewStage}); this step is not possible now.`,
  );
}
