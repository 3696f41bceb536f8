/**
 * A slow beat of round trips through a dependency; readiness reads how the last one ended. A connection that stands, or
 * that is dead in one direction, proves nothing.
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

export function createPulse(roundTrip: () => Promise<unknown>): Pulse {
  let failure: unknown = null;
  const { start, stop } = createPollLoop({
    lane: freeLane,
    everyMs: EVERY_MS,
    async round() {
      await withDeadline(roundTrip(), WITHIN_MS);
      failure = null;
    },
    onError: (error) => {
      failure = error ?? new Error("failed");
    },
  });
  return {
    start,
    stop,
    check() {
      if (failure) throw failure;
    },
  };
}
