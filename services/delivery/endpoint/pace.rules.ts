/** How much of the process one endpoint may use at a time, so that it never delays another. */

export type Pace = { concurrency: number; queue: number };

export type Load = {
  /** Requests under way to all endpoints, and how many there may be. */
  inFlight: number;
  maxInFlight: number;
  /** Endpoints that have a request under way. */
  activeEndpoints: number;
};

/** An endpoint that takes longer than this to answer counts as hanging. */
const HANGING_MS = 2_000;
/** Hanging endpoints may fill at most this share of the process. */
const HANGING_SHARE = 0.75;
/** An attempt that would wait longer than this in the process waits in the database instead. */
const QUEUE_WAIT_MS = 1_000;
const MAX_QUEUE = 512;
const MIN_CONCURRENCY = 2;
/** All endpoints together get this share, so that a new one finds room. */
const SHARED_OUT = 0.5;

/** expectedMs: how long a request to this endpoint takes, as far as is known. */
export function paceFor(expectedMs: number, maxPerEndpoint: number, load: Load): Pace {
  const isHanging = expectedMs >= HANGING_MS;
  if (isHanging && load.inFlight >= load.maxInFlight * HANGING_SHARE) return { concurrency: 0, queue: 0 };
  const share = Math.floor((load.maxInFlight * SHARED_OUT) / Math.max(1, load.activeEndpoints));
  const concurrency = Math.min(maxPerEndpoint, Math.max(MIN_CONCURRENCY, share));
  const queue = Math.floor((concurrency * QUEUE_WAIT_MS) / Math.max(1, expectedMs));
  return { concurrency, queue: Math.min(MAX_QUEUE, queue) };
}

const EXPECTED_AT_FIRST_MS = 100;
/** Faster answers weigh more than slower ones: a busy moment of this process looks like a slow endpoint. */
const WEIGHT_OF_FASTER = 0.5;
const WEIGHT_OF_SLOWER = 0.05;

/** A request under way counts with its age, once that is too long for a busy moment of this process. */
export function expectDuration(average: number | null, oldestInFlightMs: number): number {
  const usual = average ?? EXPECTED_AT_FIRST_MS;
  return oldestInFlightMs >= HANGING_MS ? Math.max(usual, oldestInFlightMs) : usual;
}

/** A moving average that keeps to the low side. */
export function averageDuration(average: number | null, latestMs: number): number {
  if (average === null) return latestMs;
  return average + (latestMs < average ? WEIGHT_OF_FASTER : WEIGHT_OF_SLOWER) * (latestMs - average);
}
