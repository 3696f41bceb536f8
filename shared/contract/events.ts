/** The event catalogue and the envelope, which is serialised once and never changes after that. */
import { type Clock, isoOf } from "../clock.ts";
import type { ServiceName } from "../config/config.ts";
import { orderedId } from "../ids.ts";
import type { Correlation } from "./answers/webhook.ts";

const eventType = <const N extends string>(name: N, owner: ServiceName, description: string) => ({
  name,
  version: 1,
  owner,
  description,
});

export const EVENT_TYPES = [
  eventType("business.profile.created", "profile", "A business profile is created."),
  eventType("business.profile.updated", "profile", "A business profile is updated."),
  eventType("business.person.added", "profile", "A person is added to a business."),
  eventType("business.person.updated", "profile", "A person of a business is corrected."),
  eventType("business.document.confirmed", "document", "An uploaded document is confirmed."),
  eventType("business.document.rejected", "document", "An uploaded document is rejected, with the reason."),
  eventType("business.verification.updated", "profile", "The verification status of a business changes."),
  eventType(
    "business.profile.erased",
    "profile",
    "A business profile is erased, at the partner's request or at the end of its retention.",
  ),
  eventType("webhook.test", "delivery", "A person of the partner sends a test event."),
];

export type EventType = (typeof EVENT_TYPES)[number]["name"];

const VERSIONS = new Map(EVENT_TYPES.map(({ name, version }) => [name, version] as const));

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
  const { eventType, partnerId, correlation, data, traceparent = null, isTest } = draft;
  const now = clock.now();
  const eventId = orderedId(now);
  const occurredAt = isoOf(now);
  const envelope = {
    eventId,
    eventType,
    eventVersion: VERSIONS.get(eventType),
    occurredAt,
    partnerId,
    ...(isTest ? { test: true } : {}),
    correlation,
    data,
  };
  return { eventId, eventType, partnerId, occurredAt, body: JSON.stringify(envelope), traceparent };
}
