/** Composes the intake of events: the consumer, and the sweeps for feed positions and for late routes. */
import { DEAD_LETTERS, deadLetters } from "../../../shared/jetstream/dead-letters.ts";
import type { Consumption } from "../../../shared/jetstream/jetstream.ts";
import { LONG_ROUND_MS } from "../../../shared/lanes.ts";
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import { collectionOf, isBehindMongos } from "../../../shared/mongo/mongo.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";
import { createPositioning } from "./assign-positions.ts";
import { type ConsumeEventsDeps, consumeEvents } from "./events.consumer.ts";
import { createFeedOrder } from "./feed-order.ts";
import { createLateRouting, type RouteLateDeps } from "./route-late.ts";
import { type ScheduleDeps, scheduleDeliveries } from "./schedule-deliveries.ts";

type Ports = Omit<ScheduleDeps, "runtime" | "record"> & {
  peers: {
    confirmEvents: ConsumeEventsDeps["confirm"];
    endpointForDelivery: RouteLateDeps["lookUp"];
  };
};

/** Time for the services to connect. */
const ROUTES_FIRST_MS = 5_000;
const ROUTES_EVERY_MS = 10_000;
const ROUTES_PAUSE_MS = 1_000;
/** Short against PBO_FEED_SETTLE_MS: an event that waits for its position is not seen later than others. */
const POSITIONS_EVERY_MS = 1_000;

export function createIntake(runtime: ServiceRuntime, ports: Ports) {
  const { clock, jetstream, lanes, logger, metrics, tracer } = runtime;
  const { connection } = runtime.mongo;
  const { events, deliveries, endpoints, handOver, peers, onWaiting } = ports;
  const { partitions } = endpoints;
  const record = createFeedOrder({ events, areShards: () => isBehindMongos(connection) });
  const scheduling = { runtime, record, events, deliveries, endpoints, handOver, onWaiting };
  const assign = createPositioning({ events, monotonic: performance });
  const positions = createPollLoop({
    lane: lanes.lane("feed places", LONG_ROUND_MS),
    round: async () => partitions.isFirst() && assign(),
    everyMs: POSITIONS_EVERY_MS,
    onError: (err) => logger.warn({ err }, "events.not_placed"),
  });
  const lookUp = peers.endpointForDelivery;
  const route = createLateRouting({ events, deliveries, partitions, onWaiting, clock, lookUp, logger });
  const routes = createPollLoop({
    lane: lanes.lane("late routes", LONG_ROUND_MS),
    round: async () => partitions.isFirst() && route(),
    everyMs: ROUTES_EVERY_MS,
    busyPauseMs: () => ROUTES_PAUSE_MS,
    onError: (err) => logger.warn({ err }, "events.late_routing_failed"),
  });
  let consumption: Consumption | undefined;

  return {
    start(): void {
      consumption = consumeEvents({
        jetstream,
        schedule: (found) => scheduleDeliveries(scheduling, found),
        deadLetters: deadLetters(collectionOf(connection, DEAD_LETTERS), clock),
        confirm: peers.confirmEvents,
        clock,
        logger,
        metrics,
        tracer,
      });
      positions.start();
      routes.start(ROUTES_FIRST_MS);
    },
    async stop(): Promise<void> {
      await Promise.all([consumption?.stop(), positions.stop(), routes.stop()]);
    },
  };
}
