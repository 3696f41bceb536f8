/** A burst of events for several partners, until the outcome of each is in the database. */
import type { Sample } from "../frame/spec.ts";
import { anEvent, type DeliveryPath } from "./delivery-path.ts";

const PARTNERS = 8;
const EVENTS_PER_PARTNER = 500;
const EVENTS = PARTNERS * EVENTS_PER_PARTNER;

export async function deliverAll(path: DeliveryPath): Promise<Sample> {
  const partners = await Promise.all(Array.from({ length: PARTNERS }, () => path.aPartner()));
  const events = Array.from({ length: EVENTS_PER_PARTNER }, () => partners.map(anEvent)).flat();
  const startedAt = performance.now();
  await path.publish(events);
  await path.untilRecorded(partners, EVENTS);
  const elapsedMs = performance.now() - startedAt;
  return { count: EVENTS, elapsedMs, latenciesMs: await path.latencies(partners) };
}
