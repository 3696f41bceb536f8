/** Looks for replay jobs: at once when one was asked for here, and regularly for those another process left. */
import type { Clock } from "../../../shared/clock.ts";
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { type ReplayJobDeps, runReplayJob } from "./run-replay-jobs.ts";

type Deps = Omit<ReplayJobDeps, "isStopping"> & {
  /** One process does it for all. */
  isMine(): boolean;
  clock: Clock;
  logger: Logger;
  lanes: Pick<Lanes, "lane">;
};

const LOOK_EVERY_MS = 5_000;

export const createReplayWorker = (deps: Deps): PollLoop =>
  createPollLoop({
    lane: deps.lanes.lane("replay"),
    round: async (isStopping) => deps.isMine() && runReplayJob({ ...deps, isStopping }),
    everyMs: LOOK_EVERY_MS,
    onError: (err) => deps.logger.warn({ err }, "replay.round_failed"),
  });
