/**
 * Slow round trips through a dependency; readiness reads the result of the last one. An open connection proves nothing:
 * it can be dead in one direction. Other work that makes such round trips replaces them.
 */
import { withDeadline } from "../deadline.ts";
import { freeLane } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";

export type Pulse = ReturnType<typeof createPulse>;

const EVERY_MS = 3_000;
const WITHIN_MS = 4_000;

/** `provedAt`: when other work last came back from the dependency, by the monotonic clock. */
export function createPulse(
  roundTrip: () => Promise<unknown>,
  provedAt: () => number = () => Number.NEGATIVE_INFINITY,
) {
  let failure: { error: unknown; at: number } | null = null;
  const provedForMs = () => provedAt() + EVERY_MS - performance.now();
  const { start, stop } = createPollLoop({
    lane: freeLane,
    everyMs: () => (provedForMs() > 0 ? provedForMs() : EVERY_MS),
    async round() {
      if (provedForMs() > 0) return;
      await withDeadline(roundTrip(), WITHIN_MS);
      failure = null;
    },
    onError: (error) => {
      failure = { error, at: performance.now() };
    },
  });
  return {
    start,
    stop,
    /** Throws if the last round trip did not come back. */
    check(): void {
      if (failure && failure.at >= provedAt()) throw failure.error;
    },
  };
}
