/** Runs replay jobs: in chunks, so another process can continue at the cursor, and in turns, so no job blocks the others. */
import type { Clock } from "../../../shared/clock.ts";
import { randomId } from "../../../shared/ids.ts";
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { type DeliverableEvent, dueAt, replayOf } from "../records/delivery.rules.ts";
import { queueName } from "../records/queue-name.rules.ts";
import type { ReplayRepository } from "./replay.repository.ts";
import { SCHEDULED_AHEAD } from "./replay.rules.ts";
import { nextChunk } from "./replay-chunk.ts";
import type { ReplayJob } from "./replay-job.model.ts";

export type ReplayJobDeps = {
  replays: Pick<ReplayRepository, "claim" | "advance" | "finish" | "eventsAfter" | "deliveriesOf">;
  deliveries: Pick<DeliveryRepository, "insert" | "countWaiting">;
  partitions: Pick<EndpointPartitions, "locate">;
  /** Deliveries of this partner wait to be sent. */
  onWaiting(partnerId: string): void;
  clock: Clock;
  logger: Logger;
};

const LEASE_MS = 15_000;
/** Then the job goes to the end of the line: few enough to be fair, enough to be worth a claim. */
const CHUNKS_PER_TURN = 4;

/** How long a job rests when enough of it waits to be sent. */
const REST_MS = 5_000;

const POLL_EVERY_MS = 5_000;

/** Polls for jobs that another process left; a job that was asked for here wakes it. */
export const createReplayWorker = (
  deps: ReplayJobDeps & { partitions: Pick<EndpointPartitions, "isFirst"> },
  lanes: Pick<Lanes, "lane">,
): PollLoop =>
  createPollLoop({
    lane: lanes.lane("replay"),
    round: async (isStopping) => deps.partitions.isFirst() && runReplayJob(deps, isStopping),
    everyMs: POLL_EVERY_MS,
    onError: (err) => deps.logger.warn({ err }, "replay.round_failed"),
  });

/** Gives the first job of the line its turn; answers whether there was one. */
export async function runReplayJob(deps: ReplayJobDeps, isStopping: () => boolean): Promise<boolean> {
  const { replays, clock, logger } = deps;
  const now = clock.now();
  const job = await replays.claim(randomId(), now, now + LEASE_MS);
  if (!job) return false;
  if (await takeTurn(deps, job, isStopping)) {
    await replays.finish(job, clock.now());
    logger.info({ replaySeries: job._id, partnerId: job.partnerId }, "replay.worked");
  }
  return true;
}

/** False when the window has more events, for the next claim. */
async function takeTurn(deps: ReplayJobDeps, job: ReplayJob, isStopping: () => boolean): Promise<boolean> {
  const { replays, clock } = deps;
  let { cursor } = job;
  if (await isFarAhead(deps, job)) {
    await replays.advance(job, cursor, 0, clock.now() + REST_MS);
    return false;
  }
  for (let chunks = 1; ; chunks += 1) {
    const chunk = await nextChunk(replays, job, cursor);
    if (!chunk) return true;
    await insertReplays(deps, job, chunk.wanted);
    cursor = chunk.cursor;
    const isLast = chunks === CHUNKS_PER_TURN || isStopping();
    // A single write moves the cursor and releases the job, so that neither can happen alone.
    const claimableAtMs = clock.now() + (isLast ? 0 : LEASE_MS);
    const keeps = await replays.advance(job, cursor, chunk.wanted.length, claimableAtMs);
    if (isLast || !keeps) return false;
  }
}

/** Asked once a turn: a turn adds little to what may wait. */
async function isFarAhead({ deliveries, partitions }: ReplayJobDeps, job: ReplayJob): Promise<boolean> {
  const queue = queueName(partitions.locate(job), "replay");
  return (await deliveries.countWaiting(job.partnerId, queue, SCHEDULED_AHEAD)) >= SCHEDULED_AHEAD;
}

/** A chunk inserted twice meets the same ids, and adds nothing the second time. */
async function insertReplays(
  { deliveries, partitions, clock, onWaiting }: ReplayJobDeps,
  job: ReplayJob,
  events: readonly DeliverableEvent[],
): Promise<void> {
  const placement = { ...partitions.locate(job), ...dueAt(clock.now()) };
  await deliveries.insert(events.map((event) => replayOf(event, placement, job._id)));
  onWaiting(job.partnerId);
}
