/** Composes the work on waiting deliveries: the due loop, recovery of healed endpoints, the end of disabled ones. */
import { createPollLoop } from "../../../shared/poll-loop.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { DueDeps } from "./due-deps.ts";
import { createDueRound } from "./due-round.ts";
import { createDisabledEndpoints } from "./exhaust-disabled.ts";
import { pollPauseMs } from "./poll-pause.rules.ts";
import { createRecovery } from "./recovery.ts";

export type Due = ReturnType<typeof createDue>;

export function createDue(deps: DueDeps) {
  const { config, clock, lanes, logger } = deps.runtime;
  const { partitions, states } = deps.endpoints;
  const { deliveryPollMs: pollMs } = config;
  let pauseMs = pollMs;
  const disabled = createDisabledEndpoints(deps);
  const recovery = createRecovery(deps, () => loop.wake());
  const round = createDueRound(deps, recovery, disabled);
  const loop = createPollLoop({
    lane: lanes.lane("due"),
    async round() {
      const { hasMore, nextAtMs } = await round();
      pauseMs = pollPauseMs({ nextInMs: nextAtMs - clock.now(), pollMs, mustPoll: partitions.mustPoll() });
      return hasMore;
    },
    everyMs: () => pauseMs,
    onError: (err) => logger.warn({ err }, "due.round_failed"),
  });
  return {
    start: loop.start,
    /** Something is due now, or after this long. */
    wake: loop.wake,
    /** The endpoint works again: its waiting retries are made due, step by step. */
    async recover(endpoint: PartitionedEndpoint): Promise<void> {
      await states.startRecovery(endpoint, clock.now());
      loop.wake();
    },
    exhaust: disabled.exhaust,
    endIfDisabled: disabled.endIfDisabled,
    attempted: recovery.attempted,
    stop: loop.stop,
  };
}
