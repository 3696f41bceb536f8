/** The events of a change: ids and states, never a value of a person. */
import type { CustomerAuditEntry } from "../../../shared/contract/answers/case.ts";
import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { ChangeTarget } from "../../../shared/contract/answers/verification.ts";
import type { EventDraft } from "../../../shared/contract/events.ts";
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

type Subject = Pick<
  Profile,
  | "_id"
  | "partnerId"
  | "partnerCustomerId"
  | "verificationStatus"
  | "openChangeRequestCount"
  | "decision"
  | "changeRequests"
  | "isTest"
>;
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
  before: Subject,
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
    if (changedFields) facts.push(personUpdated(after, person, changedFields));
  }
  for (const document of documents)
    facts.push(
      document.status === "Rejected" ? documentRejected(after, document) : documentConfirmed(after, document),
    );
  return [...facts, ...verificationFacts(before, after)];
}

/** Without type and country of an identity: they are facts about a person. */
const eventTarget = ({ kind, uboId, documentCategory, field }: ChangeTarget) => ({
  kind,
  uboId,
  documentCategory,
  field,
});

/** Codes and targets without the words of the analyst, which may be about a person. */
export function verificationFacts(before: Subject, after: Subject): Fact[] {
  if (before.verificationStatus === after.verificationStatus) return [];
  return [
    {
      eventType: "business.verification.updated",
      data: {
        ...ids(after),
        verificationStatus: after.verificationStatus,
        previousVerificationStatus: before.verificationStatus,
        openChangeRequestCount: after.openChangeRequestCount,
        reasonCodes: after.decision?.reasons.map(({ code }) => code) ?? [],
        changeRequests: after.changeRequests.flatMap(({ changeRequestId, target, reasonCode, status }) =>
          status === "Open" ? [{ changeRequestId, target: eventTarget(target), reasonCode }] : [],
        ),
      },
    },
  ];
}

export const erasedFact = (profile: Subject, erasedAt: string): Fact => ({
  eventType: "business.profile.erased",
  data: { ...ids(profile), erasedAt },
});

/** Gives each fact the next number of its customer. */
export const toDrafts = (
  facts: readonly Fact[],
  subject: Subject,
  firstSequence: number,
  origin: Origin,
): EventDraft[] =>
  facts.map((fact, index) => ({
    ...fact,
    partnerId: subject.partnerId,
    isTest: subject.isTest === true,
    correlation: {
      correlationId: origin.correlationId,
      requestId: origin.requestId,
      customerId: subject._id,
      partnerCustomerId: subject.partnerCustomerId,
      sequence: firstSequence + index,
    },
    traceparent: origin.traceparent,
  }));

const ids = ({ _id, partnerCustomerId }: Subject) => ({ customerId: _id, partnerCustomerId });

const personFacts = (profile: Subject, { uboId, ownershipType, percentageShare }: Person) => ({
  ...ids(profile),
  uboId,
  ownershipType,
  percentageShare,
});

const personAdded = (profile: Subject, person: Person): Fact => ({
  eventType: "business.person.added",
  data: personFacts(profile, person),
});

/** Names of fields only: the values of a person stay in the service. */
const personUpdated = (profile: Subject, person: Person, changedFields: readonly string[]): Fact => ({
  eventType: "business.person.updated",
  data: { ...personFacts(profile, person), changedFields },
});

const documentConfirmed = (profile: Subject, document: DocumentSummary): Fact => ({
  eventType: "business.document.confirmed",
  data: { ...documentFacts(profile, document), confirmedAt: document.confirmedAt },
});

const documentRejected = (profile: Subject, document: DocumentSummary): Fact => ({
  eventType: "business.document.rejected",
  data: {
    ...documentFacts(profile, document),
    reason: document.reason,
    uploadedAt: document.uploadedAt,
  },
});

const documentFacts = (profile: Subject, document: DocumentSummary) => ({
  ...ids(profile),
  documentId: document.documentId,
  documentCategory: document.documentCategory,
  contentType: document.contentType,
  sizeBytes: document.sizeBytes,
  uboId: document.uboId,
});
