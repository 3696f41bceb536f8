/** Starts a replay of a window of time: the answer says how many deliveries will be made, a job makes them. */
import type { Clock } from "../../../shared/clock.ts";
import { AppError } from "../../../shared/errors.ts";
import { orderedId } from "../../../shared/ids.ts";
import type { EndpointDirectory } from "../endpoint/endpoint-directory.ts";
import { liveEndpoint } from "../endpoint/live-endpoint.ts";
import { readInTime, usualEnd } from "../records/insert-in-time.repository.ts";
import type { ReplayRepository } from "./replay.repository.ts";
import { parseWindow } from "./replay.rules.ts";
import { countWanted } from "./replay-chunk.ts";

type Deps = {
  replays: ReplayRepository;
  directory: Pick<EndpointDirectory, "find" | "forget">;
  /** There is a job to do. */
  onJob(): void;
  clock: Clock;
  /** A clock that is never set back. */
  monotonic: Clock;
};

/** The gateway gives up after 2.5 seconds and answers that nothing was changed, so this must end before. */
const COUNT_WITHIN_MS = 2_000;

export async function replayWindow(
  { replays, directory, onJob, clock, monotonic }: Deps,
  partnerId: string,
  body: unknown,
  endsAt = usualEnd(),
): Promise<{ created: number }> {
  const refuseWhenLate = deadline(monotonic, COUNT_WITHIN_MS);
  const now = clock.now();
  const { eventTypes, ...window } = parseWindow(body, now);
  const { endpointId } = await readInTime(liveEndpoint(directory, partnerId), endsAt);
  const askedAt = new Date(now);
  const selection = { ...window, eventTypes: [...eventTypes], partnerId, askedAt };
  const created =
    eventTypes.length === 0 ? 0 : await readInTime(countWanted(replays, selection, refuseWhenLate), endsAt);
  if (created === 0) return { created };
  refuseWhenLate();
  const job = {
    ...selection,
    _id: orderedId(now),
    endpointId,
    cursor: null,
    created: 0,
    claimableAt: askedAt,
    claim: null,
    finishedAt: null,
  };
  await replays.add(job, endsAt);
  onJob();
  return { created };
}

function deadline(monotonic: Clock, withinMs: number): () => void {
  const endsAt = monotonic.now() + withinMs;
  return () => {
    if (monotonic.now() < endsAt) return;
    throw new AppError(
      "Webhook.DispatcherUnavailable",
      "The events of this window could not be counted in time; nothing was changed. Retry shortly, or with a shorter window.",
      { retryAfterSeconds: 1 },
    );
  };
}
