/** A steady stream of events for several partners, as fast as they are delivered, until each outcome is stored. */
import type { Workload } from "../frame/spec.ts";
import { anEvent, type DeliveryPath } from "./delivery-path.ts";

const PARTNERS = 8;
const EVENTS = 16_000;
/** Published and not yet at the receiver: enough to keep every part busy. */
const UNDER_WAY = 1_000;
const LOOK_EVERY_MS = 25;

export async function deliverAll(path: DeliveryPath, name: string): Promise<Workload> {
  const partners = await Promise.all(Array.from({ length: PARTNERS }, () => path.aPartner()));

  async function publishAll(startedWith: number): Promise<void> {
    for (let published = 0; published < EVENTS; ) {
      const underWay = published - ((await path.receiver.count()) - startedWith);
      const count = Math.min(UNDER_WAY - underWay, EVENTS - published);
      void path.publish(Array.from({ length: count }, (_, i) => anEvent(partners[i % PARTNERS] ?? "")));
      published += count;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  return {
    name,
    async run() {
      const since = new Date();
      const startedWith = await path.receiver.count();
      const startedAt = performance.now();
      await publishAll(startedWith);
      await path.untilRecorded(partners, since, EVENTS, startedWith + EVENTS);
      const elapsedMs = performance.now() - startedAt;
      return { count: EVENTS, elapsedMs, latenciesMs: await path.latencies(partners, since) };
    },
  };
}
