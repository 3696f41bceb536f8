/** Composition root of delivery: builds each part once and connects the folders. */
import type { ServiceRuntime } from "../../shared/moleculer/service.ts";
import { partitionTableRepository } from "../../shared/partitions/partition-table.repository.ts";
import { createPartitions } from "../../shared/partitions/partitions.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { createAttempts } from "./attempt/create-attempts.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { createDue, type Due } from "./due/create-due.ts";
import { endpointActivity } from "./endpoint/endpoint-activity.ts";
import { createEndpointDirectory } from "./endpoint/endpoint-directory.ts";
import { endpointPartitions } from "./endpoint/endpoint-partitions.ts";
import { createEndpointPauses } from "./endpoint/endpoint-pauses.ts";
import { createEndpointQueues } from "./endpoint/endpoint-queues.ts";
import { endpointStateRepository } from "./endpoint/endpoint-state.repository.ts";
import { createEndpointTimes } from "./endpoint/endpoint-times.ts";
import type { Endpoints } from "./endpoint/endpoints.ts";
import { createHealthReporter } from "./endpoint/health-reporter.ts";
import { excerptKeyRepository, sealedExcerptKeys } from "./excerpt/excerpt-key.repository.ts";
import { createExcerpts } from "./excerpt/excerpts.ts";
import { createIntake } from "./intake/create-intake.ts";
import type { Peers } from "./peers.ts";
import { deliveryRepository } from "./records/delivery.repository.ts";
import { eventRepository } from "./records/event.repository.ts";
import { createWakeOwners } from "./wake-owners.ts";

/** Longer than an endpoint is cached (endpoint-directory.ts). */
const SECOND_CHECK_MS = 3_500;

export function createDeliveryEngine(runtime: ServiceRuntime & { clock: DatabaseClock }, peers: Peers) {
  const { clock, config, lanes, logger, metrics } = runtime;
  const { connection } = runtime.mongo;
  const { deliveryPartitions: count, partitionLeaseMs: leaseMs } = config;

  const cipher = createFieldCipher(config.webhookKeys);
  const keys = excerptKeyRepository(connection);
  const excerpts = createExcerpts({ keys, cipher, clock, logger });
  const deliveries = deliveryRepository(connection);
  const events = eventRepository(connection);

  const states = endpointStateRepository(connection);
  const pauses = createEndpointPauses({ states, clock, logger });
  const lookUp = peers.endpointForDelivery;
  const directory = createEndpointDirectory({ lookUp, cipher, clock, logger });
  const queues = createEndpointQueues({
    maxInFlight: config.deliveryInFlight,
    maxPerEndpoint: config.deliveryPerEndpoint,
    nowMs: () => performance.now(),
    onError: (err) => logger.error({ err }, "attempt.not_recorded"),
  });
  const leases = createPartitions({
    table: partitionTableRepository(connection, count),
    me: peers.me,
    count,
    leaseMs,
    async prepare(gained, orphaned) {
      pauses.refresh(await states.current(gained, clock.now()));
      if (orphaned.length > 0) await deliveries.reclaim(orphaned, clock.now(), config.deliveryLeaseMs);
    },
    onRenewed: clock.set,
    onHeld: () => due.wake(),
    onGiven: (heirs) => {
      for (const heir of heirs) peers.lookNow(heir, "partitions");
    },
    lanes,
    logger,
    metrics,
  });
  const partitions = endpointPartitions(leases, count);
  const endpoints: Endpoints = { directory, partitions, pauses, queues, states };

  const onWaiting = createWakeOwners({ peers, partitions, clock }, (withinMs) => due.wake(withinMs));
  const times = createEndpointTimes({ states, lanes, logger });
  const health = createHealthReporter({
    report: peers.reportHealth,
    onChanged: directory.forget,
    onHealed: (endpoint) => due.recover(partitions.locate(endpoint)),
    onFailing: states.endRecovery,
    onDisabled: (endpoint) => due.exhaust(partitions.locate(endpoint)),
    clock,
    logger,
  });
  const attempts = createAttempts(runtime, {
    events,
    deliveries,
    endpoints,
    excerpts,
    peers,
    onWaiting,
    reportHealth(endpoint, outcome, isExhausted) {
      times.note(endpoint.endpointId, outcome.ok, clock.now());
      health.add(endpoint, outcome, isExhausted);
    },
    onRecorded: (delivery) => due.attempted(delivery),
  });
  const { handOver, run } = attempts;
  const due: Due = createDue({ runtime, deliveries, endpoints, run });
  const intake = createIntake(runtime, { events, deliveries, endpoints, handOver, peers, onWaiting });

  /** Second checks of changed endpoints. */
  const checks = new Set<NodeJS.Timeout>();

  return {
    events,
    deliveries,
    endpoints,
    excerpts,
    handOver,
    onWaiting,
    sweepFieldKeys: createFieldKeySweep({ cipher, logger, stores: [sealedExcerptKeys(keys, cipher)] }),
    /** The second check finds deliveries that other processes scheduled from their cache. */
    endpointChanged(partnerId: string) {
      directory.forget(partnerId);
      void due.endIfDisabled(partnerId);
      const timer = setTimeout(() => {
        checks.delete(timer);
        void due.endIfDisabled(partnerId);
      }, SECOND_CHECK_MS).unref();
      checks.add(timer);
    },
    activityOf: (endpoint: { endpointId: string; partnerId: string }) =>
      endpointActivity({ endpoints, deliveries, clock }, endpoint),
    isBusy: attempts.isBusy,
    wakeDue: () => due.wake(),
    wakePartitions: leases.wake,
    renewedAt: leases.renewedAt,
    async start() {
      await leases.start();
      intake.start();
      due.start();
      times.start();
    },
    async stop() {
      for (const timer of checks) clearTimeout(timer);
      await Promise.all([leases.stop(), intake.stop(), due.stop()]);
      await attempts.stop();
      await Promise.all([health.stop(), times.stop()]);
    },
  };
}
