/**
 * A slow beat of round trips through a dependency; readiness reads how the last one ended. A connection that stands, or
 * that is dead in one direction, proves nothing. Where other work makes such round trips by itself, they are the beat.
 */
import { withDeadline } from "../deadline.ts";
import { freeLane } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";

export type Pulse = {
  start(): void;
  stop(): Promise<void>;
  /** Throws if the last round trip did not come back. */
  check(): void;
};

const EVERY_MS = 3_000;
const WITHIN_MS = 4_000;

/** `provedAt`: when other work last came back from the dependency, by the monotonic clock. */
export function createPulse(
  roundTrip: () => Promise<unknown>,
  provedAt: () => number = () => Number.NEGATIVE_INFINITY,
): Pulse {
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
    check() {
      if (failure && failure.at >= provedAt()) throw failure.error;
    },
  };
}
