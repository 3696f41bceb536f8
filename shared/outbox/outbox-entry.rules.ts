/** Pure: whether an entry of an outbox can be published, and the reason if it cannot. */
import type { OutboxEntry } from "../contract/events.ts";
import { isUuid } from "../ids.ts";
import { isRecord } from "../is-record.ts";

/** Far above every event of ours, and far below the largest message that a server takes. */
const MAX_BODY_CHARACTERS = 1_048_576;
/** Partner and type are parts of a subject; a wildcard there would change who receives the event. */
const SUBJECT_PART = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;

/** Null for an entry that can be published. The body is not parsed, so this is cheap. */
export function shapeFault(entry: unknown): string | null {
  if (!isRecord(entry)) return "the entry is no object";
  const { eventId, eventType, partnerId, occurredAt, body } = entry;
  if (!isUuid(eventId)) return "eventId is not a UUID";
  if (!isSubjectPart(eventType)) return "eventType is missing or unusable";
  if (!isSubjectPart(partnerId)) return "partnerId is missing or unusable";
  if (!isTime(occurredAt)) return "occurredAt is not a time";
  if (typeof body !== "string") return "the body is no text";
  if (body.length > MAX_BODY_CHARACTERS) return "the body is too large";
  return null;
}

/** The same question of an entry that was read from the database, where any hand may have changed it. */
export const entryFault = (entry: unknown): string | null =>
  shapeFault(entry) ?? bodyFault(entry as OutboxEntry);

/** Delivery confirms an event by the id in its body; under another id the entry would stay. */
function bodyFault({ eventId, body }: OutboxEntry): string | null {
  try {
    const envelope: unknown = JSON.parse(body);
    if (!isRecord(envelope)) return "the body is not a JSON object";
    return envelope.eventId === eventId ? null : "the body has another eventId";
  } catch {
    return "the body is not a JSON object";
  }
}

const isSubjectPart = (value: unknown): boolean => typeof value === "string" && SUBJECT_PART.test(value);

export const isTime = (value: unknown): value is string =>
  typeof value === "string" && !Number.isNaN(Date.parse(value));

export type Unreadable = { value: unknown; fault: string };

export function sortEntries(found: readonly unknown[]): {
  readable: OutboxEntry[];
  unreadable: Unreadable[];
} {
  const readable: OutboxEntry[] = [];
  const unreadable: Unreadable[] = [];
  for (const value of found) {
    const fault = entryFault(value);
    if (fault === null) readable.push(value as OutboxEntry);
    else unreadable.push({ value, fault });
  }
  return { readable, unreadable };
}
