/** Reads an event as it arrives from an outbox. */
import { isUuid } from "../../../shared/ids.ts";
import { isRecord } from "../../../shared/is-record.ts";
import type { EventRecord } from "./event.model.ts";

/** An event before its endpoint is known. */
export type NewEvent = Omit<EventRecord, "endpointId">;

export type ParsedEvent = { event: NewEvent } | { malformed: string };

/** Parses only the fields that the record needs; the text itself is kept unchanged. */
export function parseEvent(text: string, traceparent: string | null, recordedAt: Date): ParsedEvent {
  const envelope = parseObject(text);
  if (!envelope) return { malformed: "the body is not a JSON object" };
  const { eventId, eventType, eventVersion, occurredAt, partnerId } = envelope;
  const correlation = isRecord(envelope.correlation) ? envelope.correlation : {};
  if (!isUuid(eventId)) return { malformed: "eventId is not a UUID" };
  if (!isText(eventType)) return { malformed: "eventType is missing" };
  if (!isText(partnerId)) return { malformed: "partnerId is missing" };
  if (!Number.isInteger(eventVersion)) return { malformed: "eventVersion is not a whole number" };
  const occurred = new Date(isText(occurredAt) ? occurredAt : Number.NaN);
  if (Number.isNaN(occurred.getTime())) return { malformed: "occurredAt is not a time" };
  return {
    event: {
      _id: eventId,
      partnerId,
      eventType,
      eventVersion: eventVersion as number,
      occurredAt: occurred,
      customerId: isText(correlation.customerId) ? correlation.customerId : null,
      sequence: typeof correlation.sequence === "number" ? correlation.sequence : null,
      envelopeJson: text,
      traceparent,
      recordedAt,
    },
  };
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
