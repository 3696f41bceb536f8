/** The events of a change: ids and states, never a value of a person. */
import type { Clock } from "../../../shared/clock.ts";
import type { CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { ReviewState } from "../../../shared/contract/answers/customer.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import { type EventDraft, type OutboxEntry, outboxEntry } from "../../../shared/contract/events.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import type { Changes } from "./change-requests.rules.ts";

type Origin = { requestId: string; correlationId: string; traceparent: string | null };
type AuditActor = CustomerAuditEntry["actor"];
/** Where a change comes from, for its events and its audit entry. */
export type CallOrigin = Origin & { actor: AuditActor };

export function originOf(meta: CallMeta): CallOrigin {
  const { requestId = "", traceparent = "", caller } = meta;
  return {
    requestId,
    correlationId: traceparent.split("-")[1] || requestId,
    traceparent: traceparent || null,
    actor: caller ? actorOf(caller) : { kind: "system", id: "system" },
  };
}

function actorOf(caller: NonNullable<CallMeta["caller"]>): AuditActor {
  if (caller.kind === "analyst") return { kind: "analyst", id: caller.userId };
  return { kind: "partner", id: caller.kind === "partner" ? caller.clientId : caller.userId };
}

type Fact = Pick<EventDraft, "eventType" | "data">;

export const createdFacts = (profile: Profile): Fact[] => [
  {
    eventType: "business.profile.created",
    data: {
      ...ids(profile),
      verificationStatus: profile.verificationStatus,
      ubos: profile.people.map(({ uboId }) => uboId),
    },
  },
  ...profile.people.map((person) => personAdded(profile, person)),
];

export function updatedFacts(
  before: Profile,
  after: Profile,
  changes: Changes,
  /** Confirmed or rejected by this change. */
  documents: readonly DocumentSummary[],
): Fact[] {
  const facts: Fact[] = [];
  if (changes.fields.length > 0)
    facts.push({
      eventType: "business.profile.updated",
      data: {
        ...ids(after),
        verificationStatus: after.verificationStatus,
        changedFields: changes.fields,
        removedUboIds: changes.removedUboIds,
      },
    });
  for (const person of after.people)
    if (changes.addedUboIds.includes(person.uboId)) facts.push(personAdded(after, person));
  for (const person of after.people) {
    const changedFields = changes.people.get(person.uboId);
    if (changedFields)
      facts.push({
        eventType: "business.person.updated",
        data: { ...personFacts(after, person), changedFields },
      });
  }
  for (const document of documents) facts.push(documentFact(after, document));
  return [...facts, ...verificationFacts(before, after)];
}

/**
 * Codes and targets without the words of the analyst, which may be about a person, and without type and country of an
 * identity, which are facts about a person.
 */
export function verificationFacts(before: Profile, after: Profile): Fact[] {
  if (before.verificationStatus === after.verificationStatus) return [];
  const open = after.changeRequests.filter(({ status }) => status === "Open");
  return [
    {
      eventType: "business.verification.updated",
      data: {
        ...ids(after),
        verificationStatus: after.verificationStatus,
        previousVerificationStatus: before.verificationStatus,
        openChangeRequestCount: after.openChangeRequestCount,
        reasonCodes: after.decision?.reasons.map(({ code }) => code) ?? [],
        changeRequests: open.map(({ changeRequestId, target, reasonCode }) => {
          const { kind, uboId, documentCategory, field } = target;
          return { changeRequestId, target: { kind, uboId, documentCategory, field }, reasonCode };
        }),
      },
    },
  ];
}

export const erasedFact = (profile: Profile, erasedAt: string): Fact => ({
  eventType: "business.profile.erased",
  data: { ...ids(profile), erasedAt },
});

/** Gives each fact the next number of its customer. */
export const outboxEntries = (
  facts: readonly Fact[],
  { _id, partnerId, partnerCustomerId, isTest, sequence }: Profile,
  { correlationId, requestId, traceparent }: Origin,
  clock: Clock,
): OutboxEntry[] =>
  facts.map((fact, index) => {
    const customer = { customerId: _id, partnerCustomerId, sequence: sequence + 1 + index };
    const correlation = { correlationId, requestId, ...customer };
    return outboxEntry({ ...fact, partnerId, isTest: isTest === true, correlation, traceparent }, clock);
  });

/** The entry of a change in the customer's own trail. */
export const trailEntry = (
  after: Profile,
  before: Profile | null,
  { actor, requestId }: CallOrigin,
  { at, action, detail = {} }: { at: string; action: string; detail?: Record<string, unknown> },
): CustomerAuditEntry => ({
  version: after.version,
  at,
  actor,
  action,
  from: before && stateOf(before),
  to: stateOf(after),
  requestId,
  detail,
});

export const stateOf = ({ verificationStatus, reviewStage }: ReviewState): ReviewState => ({
  verificationStatus,
  reviewStage,
});

const ids = ({ _id, partnerCustomerId }: Profile) => ({ customerId: _id, partnerCustomerId });

const personFacts = (profile: Profile, { uboId, ownershipType, percentageShare }: Person) => ({
  ...ids(profile),
  uboId,
  ownershipType,
  percentageShare,
});

const personAdded = (profile: Profile, person: Person): Fact => ({
  eventType: "business.person.added",
  data: personFacts(profile, person),
});

function documentFact(profile: Profile, document: DocumentSummary): Fact {
  const { documentId, documentCategory, contentType, sizeBytes, uboId } = document;
  const { status, reason, uploadedAt, confirmedAt } = document;
  const facts = { ...ids(profile), documentId, documentCategory, contentType, sizeBytes, uboId };
  return status === "Rejected"
    ? { eventType: "business.document.rejected", data: { ...facts, reason, uploadedAt } }
    : { eventType: "business.document.confirmed", data: { ...facts, confirmedAt } };
}
