/** Composes the work on waiting deliveries: the due loop, recovery of healed endpoints, the end of disabled ones. */
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";
import type { Endpoints } from "../endpoint/endpoints.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { PartitionedEndpoint } from "../records/queue-name.rules.ts";
import type { Records } from "../records/records.ts";
import { type DueRoundDeps, dueRound } from "./due-round.ts";
import { createDisabledEndpoints } from "./exhaust-disabled.ts";
import { dueObserver } from "./observe-due.ts";
import { pollPauseMs } from "./poll-pause.rules.ts";
import { createRecovery } from "./recovery.ts";

type Runtime = Pick<ServiceRuntime, "config" | "clock" | "jetstream" | "lanes" | "logger" | "metrics">;
type Ports = {
  deliveries: Records["deliveries"];
  endpoints: Endpoints;
  run: DueRoundDeps["run"];
};

export type Due = {
  start(): void;
  /** Something is due now, or after this long. */
  wake(withinMs?: number): void;
  /** The endpoint works again: its waiting retries are made due, step by step. */
  recover(endpoint: PartitionedEndpoint): Promise<void>;
  /** The endpoint is disabled: its pending deliveries end. */
  exhaust(endpoint: PartitionedEndpoint): Promise<void>;
  /** The partner's endpoint changed: if it is disabled and looked after here, its pending deliveries end. */
  endIfDisabled(partnerId: string): Promise<void>;
  /** The outcome of an attempt made here is stored. */
  attempted(delivery: OpenDelivery): void;
  stop(): Promise<void>;
};

export function createDue(runtime: Runtime, { deliveries, endpoints, run }: Ports): Due {
  const { config, clock, jetstream, lanes, logger, metrics } = runtime;
  const { directory, partitions, pauses, queues, states } = endpoints;
  const { deliveryPollMs: pollMs, deliveryLeaseMs: leaseMs } = config;
  let pauseMs = pollMs;
  const disabled = createDisabledEndpoints({ deliveries, directory, queues, partitions, clock, logger });
  const recovery = createRecovery({ deliveries, states, queues, onStepEnd: () => loop.wake(), clock });
  const round: DueRoundDeps = {
    deliveries,
    partitions,
    pauses,
    queues,
    states,
    run,
    recovery,
    exhaustDisabled: disabled.lookAgain,
    observe: dueObserver({ deliveries, pauses, queues, metrics, clock }),
    canAsk: jetstream.connected,
    clock,
    leaseMs,
  };
  const loop = createPollLoop({
    lane: lanes.lane("due"),
    async round() {
      const { hasMore, nextAtMs } = await dueRound(round);
      pauseMs = pollPauseMs({ nextInMs: nextAtMs - clock.now(), pollMs, mustPoll: partitions.mustPoll() });
      return hasMore;
    },
    everyMs: () => pauseMs,
    onError: (err) => logger.warn({ err }, "due.round_failed"),
  });
  return {
    start: loop.start,
    wake: loop.wake,
    async recover(endpoint) {
      await states.startRecovery(endpoint, clock.now());
      loop.wake();
    },
    exhaust: disabled.exhaust,
    endIfDisabled: disabled.endIfDisabled,
    attempted: recovery.attempted,
    stop: loop.stop,
  };
}
