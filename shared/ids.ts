/** Ids: random ones, and UUIDs of version 7 that sort by the time in them. */
import { randomUUID } from "node:crypto";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const isUuid = (value: unknown): value is string => typeof value === "string" && UUID.test(value);

/** UUID version 7 (RFC 9562): sorts by creation time, so indexes grow at their right edge. */
export function orderedId(nowMs: number): string {
  const time = nowMs.toString(16).padStart(12, "0");
  // Its random bits, its dashes and its variant are those of a version 4.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The time in an id of version 7. */
export const timeOfId = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** A record with an id from a clock that is far off would sort to the wrong place. */
const FARTHEST_MS = 60_000;

/** The id of what a call makes: the call's own, so that a call that is made again makes it once. */
export const idOfCall = (callId: string | null, nowMs: number): string =>
  isUuid(callId) && Math.abs(timeOfId(callId) - nowMs) < FARTHEST_MS ? callId : orderedId(nowMs);

export const randomId = (): string => randomUUID();

/** The lowest id that can be made at this time: everything older sorts before it. */
export function lowestIdAt(timeMs: number): string {
  const hex = Math.max(0, Math.floor(timeMs)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
