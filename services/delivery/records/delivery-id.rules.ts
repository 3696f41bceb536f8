/** Ids derived from their cause: a repeated delivery meets the unique index. They begin with its time, so they sort like UUIDs v7. */
import { hash } from "node:crypto";

export const firstDeliveryId = (eventId: string, endpointId: string): string =>
  derivedId(eventId, `first:${eventId}:${endpointId}`);

/** The delivery of an event in a replay; the series is the replay's own id. */
export const replayDeliveryId = (series: string, eventId: string): string =>
  derivedId(series, `replay:${series}:${eventId}`);

const TIME_CHARACTERS = 13;

function derivedId(timeFrom: string, source: string): string {
  const bytes = hash("sha256", source, "buffer");
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString("hex", 0, 16);
  const rest = `-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return `${timeFrom.slice(0, TIME_CHARACTERS).toLowerCase()}${rest}`;
}
