/** A steady stream of events for several partners, as fast as they are delivered, until each outcome is stored. */
import { anEvent } from "../frame/an-event.ts";
import type { Workload } from "../frame/spec.ts";
import type { DeliveryPath } from "./delivery-path.ts";

/** As much of a path as brings events to receivers; a peer of ours has it too. */
export type EventPath = Pick<DeliveryPath, "aPartner" | "publish" | "untilRecorded" | "latencies"> & {
  receiver: Pick<DeliveryPath["receiver"], "count">;
};

const PARTNERS = 8;
/** For each second of the round; how long they really take is what is measured. */
const EVENTS_PER_SECOND = 8_000;
/** Published and not yet at the receiver: enough to keep every part busy. */
const UNDER_WAY = 1_000;
const LOOK_EVERY_MS = 25;

export async function deliverAll(path: EventPath): Promise<Workload["run"]> {
  const partners = await Promise.all(Array.from({ length: PARTNERS }, () => path.aPartner()));

  async function publishAll(events: number, startedWith: number): Promise<void> {
    for (let published = 0; published < events; ) {
      const underWay = published - ((await path.receiver.count()) - startedWith);
      const count = Math.min(UNDER_WAY - underWay, events - published);
      void path.publish(Array.from({ length: count }, (_, i) => anEvent(partners[i % PARTNERS])));
      published += count;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  return async ({ durationMs }) => {
    const events = Math.round((EVENTS_PER_SECOND * durationMs) / 1_000);
    const since = new Date();
    const startedWith = await path.receiver.count();
    const startedAt = performance.now();
    await publishAll(events, startedWith);
    await path.untilRecorded(partners, since, events, startedWith + events);
    const elapsedMs = performance.now() - startedAt;
    return { count: events, elapsedMs, latenciesMs: await path.latencies(partners, since) };
  };
}
