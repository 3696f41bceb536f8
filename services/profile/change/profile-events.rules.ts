/** The events of a change: ids and states, never a value of a person. */
import type { DocumentSummary } from "../../../shared/action-types/document.ts";
import type { EventDraft } from "../../../shared/events/events.ts";
import type { Person, Profile } from "../record/profile.types.ts";
import type { Changes } from "./change-requests.rules.ts";

export type Origin = { requestId: string; correlationId: string; traceparent: string | null };

type Subject = Pick<
  Profile,
  "_id" | "partnerId" | "partnerCustomerId" | "verificationStatus" | "openChangeRequestCount"
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
  confirmed: readonly DocumentSummary[],
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
  for (const document of confirmed) facts.push(documentConfirmed(after, document));
  return [...facts, ...verificationFacts(before, after)];
}

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

const personAdded = (profile: Subject, { uboId, ownershipType, percentageShare }: Person): Fact => ({
  eventType: "business.person.added",
  data: { ...ids(profile), uboId, ownershipType, percentageShare },
});

const documentConfirmed = (profile: Subject, document: DocumentSummary): Fact => ({
  eventType: "business.document.confirmed",
  data: {
    ...ids(profile),
    documentId: document.documentId,
    documentCategory: document.documentCategory,
    contentType: document.contentType,
    sizeBytes: document.sizeBytes,
    uboId: document.uboId,
    confirmedAt: document.confirmedAt,
  },
});
