/** Works off replays: chunk by chunk, so that a process that dies in the middle is followed by another at the cursor. */
import type { Clock } from "../../shared/clock.ts";
import { randomId } from "../../shared/ids.ts";
import type { Logger } from "../../shared/logger.ts";
import type { DeliveryRepository } from "./delivery.repository.ts";
import { replayOf } from "./delivery.rules.ts";
import type { ReplayRepository } from "./replay.repository.ts";
import { nextChunk } from "./replay-chunk.ts";
import type { ReplayJob } from "./replay-job.model.ts";

export type ReplayJobPorts = {
  replays: ReplayRepository;
  deliveries: Pick<DeliveryRepository, "insert">;
  /** Deliveries wait to be sent. */
  onPlanned(): void;
  isStopping(): boolean;
  clock: Clock;
  logger: Logger;
};

const LEASE_MS = 15_000;

/** Answers whether there was a job. */
export async function runReplayJob(ports: ReplayJobPorts): Promise<boolean> {
  const { replays, clock, logger } = ports;
  const now = clock.now();
  const job = await replays.claim(randomId(), now, now + LEASE_MS);
  if (!job) return false;
  const isDone = await work(ports, job);
  if (isDone) await replays.finish(job, clock.now());
  logger.info({ replaySeries: job._id, partnerId: job.partnerId, isDone }, "replay.worked");
  return true;
}

/** False when it is left to another. */
async function work(ports: ReplayJobPorts, job: ReplayJob): Promise<boolean> {
  const { replays, clock } = ports;
  let { cursor } = job;
  for (;;) {
    const chunk = await nextChunk(replays, job, cursor);
    if (!chunk) return true;
    await plan(ports, job, chunk.wanted);
    cursor = chunk.cursor;
    const keeps = await replays.advance(job, cursor, chunk.wanted.length, clock.now() + LEASE_MS);
    if (!keeps || ports.isStopping()) return false;
  }
}

/** A chunk planned twice meets the same ids, and adds nothing the second time. */
async function plan(
  { deliveries, clock, onPlanned }: ReplayJobPorts,
  { _id: series, endpointId }: ReplayJob,
  events: Parameters<typeof replayOf>[0][],
): Promise<void> {
  const now = clock.now();
  const times = { createdAtMs: now, nextAttemptAtMs: now, claimableAtMs: now };
  await deliveries.insert(events.map((event) => replayOf(event, { endpointId, ...times }, series)));
  onPlanned();
}
