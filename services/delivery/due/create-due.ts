/** Puts together what looks after waiting deliveries: the loop, recovery of healed endpoints, the end of disabled ones. */
import type { Config } from "../../../shared/config/config.ts";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { Metrics } from "../../../shared/telemetry/metrics.ts";
import type { EndpointDirectory } from "../endpoint/endpoint-directory.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { EndpointStateRepository } from "../endpoint/endpoint-state.repository.ts";
import type { DeliveryRepository, OpenDelivery } from "../records/delivery.repository.ts";
import type { EndpointPlace } from "../records/queue-name.rules.ts";
import { type DueRoundDeps, dueRound } from "./due-round.ts";
import { createDisabledEndpoints } from "./give-up-disabled.ts";
import { lookAgainMs } from "./look-again.rules.ts";
import { dueObserver } from "./observe-due.ts";
import { createRecovery } from "./recovery.ts";

type Deps = Pick<DueRoundDeps, "pauses" | "run" | "clock"> & {
  partitions: Pick<EndpointPartitions, "held" | "isUntold" | "epoch" | "placeOf">;
  deliveries: DeliveryRepository;
  states: EndpointStateRepository;
  directory: Pick<EndpointDirectory, "find">;
  queues: EndpointQueues;
  jetstream: Pick<JetStream, "connected">;
  config: Pick<Config, "deliveryPollMs" | "deliveryLeaseMs">;
  logger: Logger;
  metrics: Metrics;
  lanes: Pick<Lanes, "lane">;
};

export type Due = {
  start(): void;
  /** Something is due now, or after this long. */
  wake(withinMs?: number): void;
  /** The endpoint works again: its waiting retries are made due, step by step. */
  recover(place: EndpointPlace): Promise<void>;
  /** The endpoint is disabled: its pending deliveries end. */
  giveUp(place: EndpointPlace): Promise<void>;
  /** The partner's endpoint changed: if it is disabled and looked after here, its pending deliveries end. */
  endIfDisabled(partnerId: string): Promise<void>;
  /** An attempt was made here, and its outcome is stored. */
  attempted(delivery: OpenDelivery): void;
  stop(): Promise<void>;
};

export function createDue(deps: Deps): Due {
  const { states, clock, config, logger, jetstream, partitions } = deps;
  const pollMs = config.deliveryPollMs;
  let pauseMs = pollMs;
  const disabled = createDisabledEndpoints(deps);
  const recovery = createRecovery({ ...deps, onStepEnd: () => loop.wake() });
  const round: DueRoundDeps = {
    ...deps,
    recovery,
    leaseMs: config.deliveryLeaseMs,
    giveUpDisabled: disabled.lookAgain,
    observe: dueObserver(deps),
    canAsk: jetstream.connected,
  };
  const loop = createPollLoop({
    lane: deps.lanes.lane("due"),
    async round() {
      const { hasMore, nextAtMs } = await dueRound(round);
      pauseMs = lookAgainMs({ nextInMs: nextAtMs - clock.now(), pollMs, isUntold: partitions.isUntold() });
      return hasMore;
    },
    everyMs: () => pauseMs,
    onError: (err) => logger.warn({ err }, "due.round_failed"),
  });
  return {
    start: loop.start,
    wake: loop.wake,
    async recover(place) {
      await states.startRecovery(place, clock.now());
      loop.wake();
    },
    giveUp: disabled.giveUp,
    endIfDisabled: disabled.endIfDisabled,
    attempted: recovery.attempted,
    stop: loop.stop,
  };
}
