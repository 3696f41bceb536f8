/** Looks for replay jobs: at once when one was asked for here, and regularly for those another process left. */
import type { Clock } from "../../../shared/clock.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { createDueLoop, type DueLoop } from "../due/due-loop.ts";
import { type ReplayJobPorts, runReplayJob } from "./run-replay-jobs.ts";

type Deps = Omit<ReplayJobPorts, "isStopping"> & { clock: Clock; logger: Logger };

const LOOK_EVERY_MS = 5_000;

export function createReplayWorker(deps: Deps): DueLoop {
  let isStopping = false;
  const ports = { ...deps, isStopping: () => isStopping };
  const loop = createDueLoop({
    round: () => runReplayJob(ports),
    pollMs: LOOK_EVERY_MS,
    logger: deps.logger,
  });
  return {
    ...loop,
    async stop() {
      isStopping = true;
      await loop.stop();
    },
  };
}
