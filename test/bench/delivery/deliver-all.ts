/** A steady stream of events for several partners, as fast as they are delivered, until each outcome is stored. */
import { anEvent } from "../frame/an-event.ts";
import { ledgerOf, requireBalance } from "../frame/ledger.rules.ts";
import type { Workload } from "../frame/spec.ts";
import type { DeliveryPath } from "./delivery-path.ts";
import { wallClock } from "./steady-load.ts";

/** As much of a path as brings events to receivers; a peer of ours has it too. */
export type EventPath = Pick<DeliveryPath, "aPartner" | "publish" | "untilRecorded"> & {
  receiver: Pick<DeliveryPath["receiver"], "count" | "takeArrivals">;
};

const PARTNERS = 8;
/** For each second of the round; how long they really take is what is measured. */
const EVENTS_PER_SECOND = 8_000;
/** Published and not yet at the receiver: enough to keep every part busy. */
const UNDER_WAY = 1_000;
const LOOK_EVERY_MS = 25;

/** Latencies are from publishing to the receiver's first byte. */
export async function deliverAll(path: EventPath): Promise<Workload["run"]> {
  const partners = await Promise.all(Array.from({ length: PARTNERS }, () => path.aPartner()));

  async function publishAll(events: number, startedWith: number): Promise<Map<string, number>> {
    const published = new Map<string, number>();
    while (published.size < events) {
      const underWay = published.size - ((await path.receiver.count()) - startedWith);
      const count = Math.min(UNDER_WAY - underWay, events - published.size);
      const entries = Array.from({ length: count }, (_, i) => anEvent(partners[i % PARTNERS]));
      for (const { eventId } of entries) published.set(eventId, wallClock());
      void path.publish(entries);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
    return published;
  }

  return async ({ durationMs }) => {
    const events = Math.round((EVENTS_PER_SECOND * durationMs) / 1_000);
    await path.receiver.takeArrivals();
    const since = new Date();
    const startedWith = await path.receiver.count();
    const startedAt = performance.now();
    const published = await publishAll(events, startedWith);
    await path.untilRecorded(partners, since, startedWith + events, events);
    const elapsedMs = performance.now() - startedAt;
    const arrivals = Object.entries(await path.receiver.takeArrivals());
    const keys = arrivals.map(([eventId]) => eventId);
    const ledger = requireBalance(ledgerOf(published, keys));
    const latenciesMs = arrivals.map(([eventId, at]) => at - (published.get(eventId) ?? 0));
    return { count: events, elapsedMs, latenciesMs, ledger };
  };
}
