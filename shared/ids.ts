/** Ids: random UUIDs, and version 7 UUIDs that sort by creation time. */
import { randomUUID } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string => typeof value === "string" && UUID.test(value);

/** UUID version 7 (RFC 9562): ordered by creation time, so index inserts are sequential. */
export function orderedId(nowMs: number): string {
  if (nowMs !== spelled.ms) spelled = { ms: nowMs, time: spellTime(nowMs) };
  // Random bits, dashes and variant are taken from a version 4 UUID.
  return `${spelled.time}-7${randomUUID().slice(15)}`;
}

/** Ids of one moment come together. */
let spelled = { ms: 0, time: spellTime(0) };

function spellTime(ms: number): string {
  const hex = ms.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}`;
}

export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** An id from a clock that is further off would sort to the wrong place. */
const MAX_SKEW_MS = 60_000;

/** Id of the record a call creates: the call's own id where possible, so that a repeated call creates it once. */
export const idOfCall = (callId: string | null, nowMs: number): string =>
  isUuid(callId) && Math.abs(timeOfId(callId) - nowMs) < MAX_SKEW_MS ? callId : orderedId(nowMs);

export const randomId = (): string => randomUUID();

/** The lowest version 7 id of this time: every older id sorts before it. */
export const lowestIdAt = (timeMs: number): string =>
  `${spellTime(Math.max(0, Math.floor(timeMs)))}-0000-0000-000000000000`;
