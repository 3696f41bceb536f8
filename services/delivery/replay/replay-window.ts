/** Starts a replay of a window of time: the answer says how many deliveries will be made, a job makes them. */
import type { Clock } from "../../../shared/clock.ts";
import type { ReplayStarted } from "../../../shared/contract/answers/delivery.ts";
import { AppError, unavailable } from "../../../shared/errors.ts";
import { orderedId } from "../../../shared/ids.ts";
import { type EndpointDirectory, liveEndpoint } from "../endpoint/endpoint-directory.ts";
import { readInTime, usualEnd, writeInTime } from "../records/in-time.ts";
import type { ReplayRepository } from "./replay.repository.ts";
import { isSameReplay, parseWindow, replayUnderway } from "./replay.rules.ts";
import { countWanted } from "./replay-chunk.ts";
import type { AskedReplay, ReplayJob } from "./replay-job.model.ts";

type Deps = {
  replays: Pick<ReplayRepository, "last" | "add" | "count" | "eventsAfter" | "deliveriesOf">;
  directory: Pick<EndpointDirectory, "find" | "forget">;
  /** There is a job to do. */
  onJob(): void;
  clock: Clock;
  /** A clock that is never set back. */
  monotonic: Clock;
};

/** The gateway gives up after 2.5 seconds and answers that nothing was changed, so this must end before. */
const COUNT_WITHIN_MS = 2_000;
/** More than one is needed only when other requests of the partner come in between. */
const TRIES = 5;

export async function replayWindow(
  { replays, directory, onJob, clock, monotonic }: Deps,
  partnerId: string,
  body: unknown,
  endsAt = usualEnd(),
): Promise<ReplayStarted> {
  const countBy = monotonic.now() + COUNT_WITHIN_MS;
  const refuseWhenLate = () => {
    if (monotonic.now() >= countBy) throw tooLate();
  };
  const now = clock.now();
  const { eventTypes, dryRun, ...window } = parseWindow(body, now);
  const { endpointId } = await readInTime(liveEndpoint(directory, partnerId), endsAt);
  const askedAt = new Date(now);
  const selection: AskedReplay = { ...window, eventTypes: [...eventTypes], partnerId, endpointId, askedAt };
  if (dryRun) return { created: await countInTime(), replaySeries: null };
  let created: number | null = null;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const last = await readInTime(replays.last(partnerId), endsAt);
    if (last && isSameReplay(last, selection)) return answerOf(last);
    if (last && last.finishedAt === null) throw replayUnderway(last);
    created ??= await countInTime();
    if (created === 0) return { created, replaySeries: null };
    refuseWhenLate();
    const job = newJob(selection, (last?.number ?? 0) + 1, created);
    if (!(await writeInTime(() => replays.add(job), endsAt))) continue;
    onJob();
    return answerOf(job);
  }
  throw unavailable("The line of replays");

  async function countInTime(): Promise<number> {
    if (eventTypes.length === 0) return 0;
    return readInTime(countWanted(replays, selection, refuseWhenLate), endsAt);
  }
}

const answerOf = ({ _id, expected }: ReplayJob): ReplayStarted => ({ created: expected, replaySeries: _id });

const newJob = (asked: AskedReplay, number: number, expected: number): ReplayJob => ({
  ...asked,
  _id: orderedId(asked.askedAt.getTime()),
  number,
  cursor: null,
  created: 0,
  expected,
  claimableAt: asked.askedAt,
  claim: null,
  finishedAt: null,
  isStopped: false,
});

const tooLate = (): AppError =>
  new AppError(
    "Webhook.DispatcherUnavailable",
    "The events of this window could not be counted in time; nothing was changed. Retry shortly, or with a shorter window.",
    { retryAfterSeconds: 1 },
  );
