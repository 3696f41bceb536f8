/** Events at a steady pace, and how long each takes to the receiver's first byte. */
import { anEvent } from "../frame/an-event.ts";
import type { Sample, Window } from "../frame/spec.ts";
import type { DeliveryPath } from "./delivery-path.ts";

type Path = {
  receiver: Pick<DeliveryPath["receiver"], "takeArrivals">;
  publish(entries: ReturnType<typeof anEvent>[]): Promise<unknown>;
};

const wallClock = () => performance.timeOrigin + performance.now();

export async function steadyLoad(
  path: Path,
  partnerId: string,
  { durationMs }: Window,
  perSecond: number,
): Promise<Sample> {
  await path.receiver.takeArrivals();
  const published = new Map<string, number>();
  const startedAt = performance.now();
  const count = Math.round((durationMs / 1_000) * perSecond);
  for (let i = 0; i < count; i += 1) {
    const entry = anEvent(partnerId);
    published.set(entry.eventId, wallClock());
    void path.publish([entry]);
    const nextAt = startedAt + ((i + 1) * 1_000) / perSecond;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, nextAt - performance.now())));
  }
  const elapsedMs = performance.now() - startedAt;
  const latenciesMs = await arrivalsOf(path, published);
  return { count, elapsedMs, latenciesMs };
}

async function arrivalsOf(path: Path, published: ReadonlyMap<string, number>): Promise<number[]> {
  const latencies = new Map<string, number>();
  const deadline = performance.now() + 30_000;
  while (latencies.size < published.size) {
    if (performance.now() > deadline)
      throw new Error(`${published.size - latencies.size} events did not arrive`);
    for (const [eventId, at] of Object.entries(await path.receiver.takeArrivals())) {
      const since = published.get(eventId);
      if (since !== undefined) latencies.set(eventId, at - since);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return [...latencies.values()];
}
