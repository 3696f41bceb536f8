/** The steps of an analyst. Each is one compare-and-set on the customer, with its audit entry and its event. */

import { isoTime } from "../../../shared/clock.ts";
import type { AuditFact, AuditFacts } from "../../../shared/contract/answers/audit.ts";
import type { CaseNote, CaseSummary } from "../../../shared/contract/answers/case.ts";
import type { ChangeRequest, Decision } from "../../../shared/contract/answers/verification.ts";
import { AppError, errorCode } from "../../../shared/errors.ts";
import type { AnalystCaller, CallMeta } from "../../../shared/identity/caller.ts";
import { orderedId } from "../../../shared/ids.ts";
import { changeProfile } from "../change/change-profile.ts";
import { countOpen } from "../change/change-requests.rules.ts";
import { withState } from "../change/finish-update.rules.ts";
import { type CallOrigin, stateOf, verificationFacts } from "../change/profile-events.rules.ts";
import { checkVersion } from "../change/update-own.ts";
import type { Deps } from "../deps.ts";
import { findProfile } from "../read/get-profile.ts";
import type { Profile } from "../record/profile.types.ts";
import { CLAIM_LEASE_MS, type Refusal, type StepKind, transition } from "../record/verification.rules.ts";
import { caseSummary } from "./case.view.ts";
import { EVERY_CASE } from "./case-filter.rules.ts";
import {
  type RequestedChange,
  readNote,
  readNoteText,
  readReasons,
  readRequestedChanges,
} from "./case-input.rules.ts";

export type CaseCall = {
  customerId: string;
  analyst: AnalystCaller;
  body: unknown;
  /** The version that the analyst decides on; null is any. */
  ifMatch: string | null;
  origin: CallOrigin;
  meta: CallMeta;
};
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

const CLAIM_ROUNDS = 5;
/** More than there are analysts who claim in the same moment. */
const CANDIDATES = 20;

/** Another analyst was faster, or the case is gone. */
const TAKEN = new Set(["Case.AlreadyClaimed", "Case.InvalidState", "Customer.Conflict", "Customer.Erased"]);

/** Claims the case that waits longest; null when there is none. Concurrent analysts try the same cases. */
export async function claimNextCase(
  deps: Deps,
  call: Omit<CaseCall, "customerId">,
): Promise<CaseSummary | null> {
  const queued = { ...EVERY_CASE, reviewStage: "Queued" } as const;
  for (let round = 0; round < CLAIM_ROUNDS; round += 1) {
    const waiting = await deps.cases.list(queued, { order: 1, limit: CANDIDATES }, isoTime(deps.clock));
    if (waiting.length === 0) return null;
    for (const { _id: customerId } of waiting) {
      const claimed = await claimCase(deps, { ...call, customerId }).catch((error: unknown) => {
        if (TAKEN.has(errorCode(error) ?? "")) return null;
        throw error;
      });
      if (claimed) return claimed;
    }
  }
  throw new AppError("Case.AlreadyClaimed", "Other analysts claimed every case that was tried. Try again.");
}

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
      const step = isRenewal ? { next: profile } : transition(profile, kind);
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

/** The customer is one document, and MongoDB stores at most 16 MB in one. */
const MAX_NOTES = 500;

/** A note for the other analysts; it is never changed. */
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

/** In no partner's list: the identity of the operator's analysts is not for partners. */
export const caseFact = (
  action: string,
  { _id, partnerId }: Profile,
  before: AuditFacts | null,
  after: AuditFacts | null,
): AuditFact => ({ action, partnerId: null, subject: _id, before, after: { partnerId, ...after } });

/** A lead analyst may release a case that a colleague claimed, and may not decide it. */
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
