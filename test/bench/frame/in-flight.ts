/** A closed loop in this process: a fixed number of calls in flight, each timed from its start to its end. */
import type { Sample, Window } from "./spec.ts";

export async function runInFlight(window: Window, once: () => Promise<void>): Promise<Sample> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + window.durationMs;
  await Promise.all(
    Array.from({ length: window.concurrency }, async () => {
      for (let now = performance.now(); now < endsAt; ) {
        await once();
        const doneAt = performance.now();
        latenciesMs.push(doneAt - now);
        now = doneAt;
      }
    }),
  );
  return { count: latenciesMs.length, elapsedMs: performance.now() - startedAt, latenciesMs };
}
