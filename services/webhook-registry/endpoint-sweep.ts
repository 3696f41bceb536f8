/** Runs the sweep again and again. */
import { type Lanes, LONG_ROUND_MS } from "../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../shared/poll-loop.ts";
import type { Deps } from "./deps.ts";
import { sweepEndpoints } from "./sweep-endpoints.ts";

type SweepDeps = Deps & { lanes: Pick<Lanes, "lane"> };

export function createEndpointSweep(deps: SweepDeps, everyMs: number): PollLoop {
  return createPollLoop({
    lane: deps.lanes.lane("endpoint sweep", LONG_ROUND_MS),
    everyMs,
    round: () => sweepEndpoints(deps),
    onError: (err) => deps.logger.warn({ err }, "endpoints.sweep_failed"),
  });
}
