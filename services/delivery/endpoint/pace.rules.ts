/** How much of the process one endpoint may use at a time, so that it never delays another. */

export type Pace = { concurrency: number; queue: number };

export type Load = {
  /** Requests under way to everybody, and the most there may be. */
  inFlight: number;
  mostInFlight: number;
  /** Endpoints that have a request under way. */
  activeEndpoints: number;
};

/** Longer than this to an answer, and the endpoint counts as one that hangs. */
const HANGING_MS = 2_000;
/** Those that hang may fill this share of the process, and no more. */
const HANGING_SHARE = 0.75;
/** Nobody waits longer than this for its turn in the process; it waits in the database instead. */
const QUEUE_WAIT_MS = 1_000;
const LONGEST_QUEUE = 512;
const LEAST_CONCURRENCY = 2;
/** All endpoints together are given this share, so that one that begins now finds room. */
const SHARED_OUT = 0.5;

/** expectedMs: how long a request to this endpoint takes, as far as is known. */
export function paceFor(expectedMs: number, mostPerEndpoint: number, load: Load): Pace {
  const isHanging = expectedMs >= HANGING_MS;
  if (isHanging && load.inFlight >= load.mostInFlight * HANGING_SHARE) return { concurrency: 0, queue: 0 };
  const share = Math.floor((load.mostInFlight * SHARED_OUT) / Math.max(1, load.activeEndpoints));
  const concurrency = Math.min(mostPerEndpoint, Math.max(LEAST_CONCURRENCY, share));
  const queue = Math.floor((concurrency * QUEUE_WAIT_MS) / Math.max(1, expectedMs));
  return { concurrency, queue: Math.min(LONGEST_QUEUE, queue) };
}

const EXPECTED_AT_FIRST_MS = 100;
/** What is faster than expected counts for much, what is slower for little: our own busy moments look like slowness. */
const WEIGHT_OF_FASTER = 0.5;
const WEIGHT_OF_SLOWER = 0.05;

/** What is under way counts with its age, once that is longer than anybody's busy moment. */
export function expectDuration(average: number | null, oldestInFlightMs: number): number {
  const usual = average ?? EXPECTED_AT_FIRST_MS;
  return oldestInFlightMs >= HANGING_MS ? Math.max(usual, oldestInFlightMs) : usual;
}

/** A moving average that keeps to the low side. */
export function averageDuration(average: number | null, latestMs: number): number {
  if (average === null) return latestMs;
  return average + (latestMs < average ? WEIGHT_OF_FASTER : WEIGHT_OF_SLOWER) * (latestMs - average);
}
