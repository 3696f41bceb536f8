/** The event catalogue and the envelope, which is serialised once and never changes after that. */
import { type Clock, isoOf } from "../clock.ts";
import { orderedId } from "../ids.ts";
import type { Correlation } from "./answers/webhook.ts";

export const EVENT_TYPES = [
  {
    name: "business.profile.created",
    version: 1,
    owner: "profile",
    description: "A business profile is created.",
  },
  {
    name: "business.profile.updated",
    version: 1,
    owner: "profile",
    description: "A business profile is updated.",
  },
  {
    name: "business.person.added",
    version: 1,
    owner: "profile",
    description: "A business person is added to a business.",
  },
  {
    name: "business.person.updated",
    version: 1,
    owner: "profile",
    description: "A business person is corrected.",
  },
  {
    name: "business.document.confirmed",
    version: 1,
    owner: "document",
    description: "An uploaded document is confirmed.",
  },
  {
    name: "business.document.rejected",
    version: 1,
    owner: "document",
    description: "An uploaded document is refused, with the reason.",
  },
  {
    name: "business.verification.updated",
    version: 1,
    owner: "profile",
    description: "The verification status of a business changes.",
  },
  {
    name: "business.profile.erased",
    version: 1,
    owner: "profile",
    description: "A business profile is erased, at the partner's request or because its retention has ended.",
  },
  {
    name: "webhook.test",
    version: 1,
    owner: "delivery",
    description: "The test operation of the dashboard is used.",
  },
] as const;

export type EventType = (typeof EVENT_TYPES)[number]["name"];

const VERSIONS = Object.fromEntries(EVENT_TYPES.map(({ name, version }) => [name, version])) as Record<
  EventType,
  number
>;

export type EventEnvelope = {
  eventId: string;
  eventType: EventType;
  eventVersion: number;
  occurredAt: string;
  partnerId: string;
  /** Only of a test partner. */
  test?: true;
  correlation: Correlation;
  data: Record<string, unknown>;
};

export type EventDraft = {
  eventType: EventType;
  partnerId: string;
  correlation: Correlation;
  data: Record<string, unknown>;
  traceparent?: string | null;
  isTest?: boolean;
};

/** An event in the outbox, inside the document that caused it. */
export type OutboxEntry = {
  eventId: string;
  eventType: string;
  partnerId: string;
  /** ISO time. */
  occurredAt: string;
  body: string;
  traceparent: string | null;
};

/** The body of the entry is what every receiver gets, byte for byte. */
export function outboxEntry(draft: EventDraft, clock: Clock): OutboxEntry {
  const now = clock.now();
  const envelope: EventEnvelope = {
    eventId: orderedId(now),
    eventType: draft.eventType,
    eventVersion: VERSIONS[draft.eventType],
    occurredAt: isoOf(now),
    partnerId: draft.partnerId,
    ...(draft.isTest ? { test: true } : {}),
    correlation: draft.correlation,
    data: draft.data,
  };
  return {
    eventId: envelope.eventId,
    eventType: envelope.eventType,
    partnerId: envelope.partnerId,
    occurredAt: envelope.occurredAt,
    body: JSON.stringify(envelope),
    traceparent: draft.traceparent ?? null,
  };
}
