/** Everything that moves in the delivery service, put together: intake, attempts, and what looks after those that wait. */

import { DEAD_LETTERS_COLLECTION, deadLetters } from "../../shared/jetstream/dead-letters.ts";
import { LONG_ROUND_MS } from "../../shared/lanes.ts";
import type { ServiceRuntime } from "../../shared/moleculer/service.ts";
import { isBehindMongos } from "../../shared/mongo/mongo.ts";
import { partitionTableRepository } from "../../shared/partitions/partition-table.repository.ts";
import { createPartitions } from "../../shared/partitions/partitions.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { createAttempts } from "./attempt/create-attempts.ts";
import { createDatabaseClock } from "./database-clock.ts";
import { createDue, type Due } from "./due/create-due.ts";
import { endpointActivity } from "./endpoint/endpoint-activity.ts";
import { createEndpointDirectory } from "./endpoint/endpoint-directory.ts";
import { endpointPartitions } from "./endpoint/endpoint-partitions.ts";
import { createEndpointPauses } from "./endpoint/endpoint-pauses.ts";
import { createEndpointQueues } from "./endpoint/endpoint-queues.ts";
import { endpointStateRepository } from "./endpoint/endpoint-state.repository.ts";
import { createEndpointTimes } from "./endpoint/endpoint-times.ts";
import { createHealthReporter } from "./endpoint/health-reporter.ts";
import { excerptKeyRepository } from "./excerpt/excerpt-key.repository.ts";
import { createExcerpts } from "./excerpt/excerpts.ts";
import { sealedExcerptKeys } from "./excerpt/sealed-excerpt-keys.ts";
import { createIntake } from "./intake/create-intake.ts";
import { createFeedOrder } from "./intake/feed-order.ts";
import { createPlacing } from "./intake/place-events.ts";
import { createLateRouting } from "./intake/route-late.ts";
import type { Neighbours } from "./neighbours.ts";
import { deliveryRepository } from "./records/delivery.repository.ts";
import { eventRepository } from "./records/event.repository.ts";
import { createWakeHolders } from "./wake-holders.ts";

/** Time for the services to meet. */
const SWEEP_FIRST_MS = 5_000;
const SWEEP_EVERY_MS = 10_000;
const SWEEP_PAUSE_MS = 1_000;
/** Longer than an endpoint is remembered (endpoint-directory.ts). */
const SETTLED_AFTER_CHANGE_MS = 3_500;
/** Short against PBO_FEED_SETTLE_MS: an event that waits for its place is not seen later than others. */
const PLACE_EVERY_MS = 1_000;

export function createDeliveryEngine(ofProcess: ServiceRuntime, neighbours: Neighbours) {
  const clock = createDatabaseClock(ofProcess);
  const runtime = { ...ofProcess, clock };
  const { config, logger } = runtime;
  const { connection } = runtime.mongo;
  const { deliveryPartitions: count, partitionLeaseMs: leaseMs } = config;
  const letters = deadLetters(connection.collection(DEAD_LETTERS_COLLECTION), clock);
  const deliveries = deliveryRepository(connection);
  const states = endpointStateRepository(connection);
  const pauses = createEndpointPauses({ ...runtime, states });
  const cipher = createFieldCipher(config.webhookKeys);
  const keys = excerptKeyRepository(connection);
  const excerpts = createExcerpts({ ...runtime, keys, cipher });
  const directory = createEndpointDirectory({
    ...runtime,
    lookUp: neighbours.endpointForDelivery,
    cipher,
  });
  const queues = createEndpointQueues({
    maxInFlight: config.deliveryInFlight,
    maxPerEndpoint: config.deliveryPerEndpoint,
    nowMs: () => performance.now(),
    onError: (err) => logger.error({ err }, "attempt.not_recorded"),
  });
  const leases = createPartitions({
    ...runtime,
    ...{ count, leaseMs, me: neighbours.me },
    table: partitionTableRepository(connection, count),
    async prepare(gained, orphaned) {
      pauses.refresh(await states.current(gained, clock.now()));
      if (orphaned.length > 0) await deliveries.reclaim(orphaned, clock.now(), config.deliveryLeaseMs);
    },
    onRenewed: clock.set,
    onHeld: () => due.wake(),
    onGiven: (heirs) => {
      for (const heir of heirs) neighbours.lookNow(heir, "partitions");
    },
  });
  const partitions = endpointPartitions(leases, count);
  const wakeHolder = createWakeHolders({
    ...{ me: neighbours.me, partitions, clock },
    wakeHere: (withinMs) => due.wake(withinMs),
    tell: (node) => neighbours.lookNow(node, "deliveries"),
  });
  const base = {
    ...runtime,
    ...{ deliveries, states, pauses, directory, queues, partitions, excerpts },
    events: eventRepository(connection),
    deadLetters: letters,
    onWaiting: wakeHolder,
  };
  const seen = createEndpointTimes({ ...runtime, states });
  const health = createHealthReporter({
    ...runtime,
    report: neighbours.reportHealth,
    onChanged: directory.forget,
    onHealed: (endpoint) => due.recover(partitions.placeOf(endpoint)),
    onFailing: states.endRecovery,
    onDisabled: (endpoint) => due.giveUp(partitions.placeOf(endpoint)),
  });
  const attempts = createAttempts({
    ...base,
    ...{ me: neighbours.me, takeAttempts: neighbours.takeAttempts, isReachable: neighbours.isReachable },
    reportHealth(endpoint, outcome, isExhausted) {
      seen.note(endpoint.endpointId, outcome.ok, clock.now());
      health.add(endpoint, outcome, isExhausted);
    },
    onRecorded: (delivery) => due.attempted(delivery),
  });
  const { handOver } = attempts;
  const due: Due = createDue({ ...base, run: attempts.run });
  const feedOrder = createFeedOrder({ ...base, areShards: () => isBehindMongos(connection) });
  const intake = createIntake({ ...base, feedOrder, handOver, confirm: neighbours.confirmEvents });
  const placeEvents = createPlacing({ ...base, monotonic: performance });
  const placing = createPollLoop({
    lane: runtime.lanes.lane("feed places", LONG_ROUND_MS),
    round: async () => partitions.isFirst() && placeEvents(),
    everyMs: PLACE_EVERY_MS,
    onError: (err) => logger.warn({ err }, "events.not_placed"),
  });
  const routeLate = createLateRouting({ ...base, lookUp: neighbours.endpointForDelivery });
  const sweep = createPollLoop({
    lane: runtime.lanes.lane("late routes", LONG_ROUND_MS),
    round: async () => partitions.isFirst() && routeLate(),
    everyMs: SWEEP_EVERY_MS,
    busyPauseMs: () => SWEEP_PAUSE_MS,
    onError: (err) => logger.warn({ err }, "events.late_routing_failed"),
  });

  /** Second checks of changed endpoints. */
  const changes = new Set<NodeJS.Timeout>();

  return {
    ...{ clock, deliveries, directory, partitions, handOver, excerpts, events: base.events },
    sweepFieldKeys: createFieldKeySweep({ ...{ cipher, logger }, stores: [sealedExcerptKeys(keys, cipher)] }),
    /** The second check finds deliveries that other processes planned from their cache. */
    endpointChanged(partnerId: string) {
      directory.forget(partnerId);
      void due.endIfDisabled(partnerId);
      const timer = setTimeout(() => {
        changes.delete(timer);
        void due.endIfDisabled(partnerId);
      }, SETTLED_AFTER_CHANGE_MS).unref();
      changes.add(timer);
    },
    activityOf: (endpoint: { endpointId: string; partnerId: string }) =>
      endpointActivity(base, { ...endpoint, ...partitions.placeOf(endpoint) }),
    onWaiting: wakeHolder,
    isBusy: attempts.isBusy,
    wakeDue: () => due.wake(),
    wakePartitions: leases.wake,
    renewedAt: leases.renewedAt,
    async start() {
      await leases.start();
      intake.start();
      due.start();
      seen.start();
      placing.start();
      sweep.start(SWEEP_FIRST_MS);
    },
    async stop() {
      for (const timer of changes) clearTimeout(timer);
      await Promise.all([leases.stop(), intake.stop(), due.stop(), placing.stop(), sweep.stop()]);
      await attempts.stop();
      await Promise.all([health.stop(), seen.stop()]);
    },
  };
}
