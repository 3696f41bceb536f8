/**
 * Events at a steady pace, and how long each takes to the receiver's first byte. The clock of an event starts at the
 * moment for which it was scheduled, so a source that is late or refuses for a while does not hide its delay.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { ledgerOf, requireBalance } from "../frame/ledger.rules.ts";
import type { Sample, Window } from "../frame/spec.ts";
import type { DeliveryPath } from "./delivery-path.ts";

type Source = {
  receiver: Pick<DeliveryPath["receiver"], "takeArrivals">;
  /** Under this key the receiver notes the arrival. */
  publishOne(): { key: string; done: Promise<unknown> };
};

const ARRIVED_WITHIN_MS = 30_000;

export const wallClock = () => performance.timeOrigin + performance.now();

export async function steadyLoad(source: Source, { durationMs }: Window, perSecond: number): Promise<Sample> {
  await source.receiver.takeArrivals();
  const scheduled = new Map<string, number>();
  const refusals: unknown[] = [];
  const calls: Promise<unknown>[] = [];
  const startedAt = wallClock();
  const count = Math.round((durationMs / 1_000) * perSecond);
  for (let i = 0; i < count; i += 1) {
    const at = startedAt + (i * 1_000) / perSecond;
    await sleep(Math.max(0, at - wallClock()));
    const { key, done } = source.publishOne();
    scheduled.set(key, at);
    calls.push(done.catch((error) => refusals.push(error)));
  }
  const elapsedMs = wallClock() - startedAt;
  await Promise.all(calls);
  if (refusals.length > 0) throw new Error(`void: ${refusals.length} were refused`, { cause: refusals[0] });
  const arrivals = await arrivalsOf(source, scheduled);
  const ledger = requireBalance(ledgerOf(scheduled, [...arrivals.keys()]));
  const latenciesMs = [...arrivals].map(([key, at]) => at - (scheduled.get(key) ?? 0));
  return { count, elapsedMs, latenciesMs, ledger };
}

/** Everything that the receiver noted, until all is there or it is too late. */
async function arrivalsOf({ receiver }: Source, scheduled: ReadonlyMap<string, number>) {
  const arrivals = new Map<string, number>();
  const deadline = performance.now() + ARRIVED_WITHIN_MS;
  for (;;) {
    // A retry of an event counts from its first arrival.
    for (const [key, at] of Object.entries(await receiver.takeArrivals()))
      if (!arrivals.has(key)) arrivals.set(key, at);
    if (arrivals.size >= scheduled.size || performance.now() > deadline) return arrivals;
    await sleep(20);
  }
}
