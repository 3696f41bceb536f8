/** Everything that moves in the delivery service, put together: record, plan, send, retry. */
import type { Clock } from "../../shared/clock.ts";
import { createFieldCipher } from "../../shared/field-cipher.ts";
import { DEAD_LETTERS_COLLECTION, deadLetters } from "../../shared/jetstream/dead-letters.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import { isDatabaseAway } from "../../shared/mongo.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import { publishAttempts } from "./attempt/attempt-job.ts";
import { consumeAttempts } from "./attempt/attempts.consumer.ts";
import { deliver } from "./attempt/deliver.ts";
import { createGroupCommit } from "./attempt/group-commit.ts";
import { runAttempts } from "./attempt/run-attempts.ts";
import { dueRound } from "./due/due-round.ts";
import { createDisabledEndpoints } from "./due/give-up-disabled.ts";
import { dueObserver } from "./due/observe-due.ts";
import { createRecovery } from "./due/recovery.ts";
import { createEndpointDirectory, type RegisteredEndpoint } from "./endpoint/endpoint-directory.ts";
import { createEndpointPauses } from "./endpoint/endpoint-pauses.ts";
import { createEndpointQueues } from "./endpoint/endpoint-queues.ts";
import { endpointStateRepository } from "./endpoint/endpoint-state.repository.ts";
import { createHealthReporter, type HealthAnswer, type HealthReport } from "./endpoint/health-reporter.ts";
import { consumeEvents } from "./intake/events.consumer.ts";
import { planDeliveries } from "./intake/plan-deliveries.ts";
import { deliveryRepository } from "./records/delivery.repository.ts";
import type { DeliveryUpdate } from "./records/delivery-update.rules.ts";
import { eventRepository } from "./records/event.repository.ts";
import type { NewEvent } from "./records/event.rules.ts";
import { createRecentPlans } from "./records/recent-plans.ts";
import { createSender } from "./send/send-attempt.ts";

/** Other services, as this one calls them. */
export type Neighbours = {
  endpointForDelivery(partnerId: string): Promise<RegisteredEndpoint | null>;
  reportHealth(report: HealthReport): Promise<HealthAnswer>;
  confirmEvents(source: string, eventIds: readonly string[]): Promise<void>;
};

export type DeliveryEngine = ReturnType<typeof createDeliveryEngine>;

export function createDeliveryEngine(runtime: Runtime, neighbours: Neighbours) {
  const { config, clock, logger, metrics, mongo, jetstream, tracer } = runtime;
  const { connection } = mongo;
  const base = { clock, logger, metrics, config, jetstream, tracer };
  const deliveries = deliveryRepository(connection);
  const events = eventRepository(connection);
  const states = endpointStateRepository(connection);
  const letters = deadLetters(connection.collection(DEAD_LETTERS_COLLECTION), clock);

  const directory = createEndpointDirectory({
    ...base,
    lookUp: neighbours.endpointForDelivery,
    cipher: createFieldCipher(config.fieldKeys),
  });
  const pauses = createEndpointPauses({ ...base, states });
  const queues = createEndpointQueues({
    mostInFlight: config.deliveryInFlight,
    mostPerEndpoint: config.deliveryPerEndpoint,
    nowMs: monotonic,
  });
  const sender = createSender(base);
  const recent = createRecentPlans(clock);
  const commits = createGroupCommit<DeliveryUpdate>({
    write: deliveries.apply,
    isPassing: isDatabaseAway,
    logger,
  });
  const publish = (due: Parameters<typeof publishAttempts>[1]) =>
    publishAttempts({ jetstream, queues, namespace: config.namespace }, due);
  const plan = (found: readonly NewEvent[]) =>
    planDeliveries(
      {
        ...base,
        events,
        deliveries,
        directory,
        pauses,
        queues,
        recent,
        publish,
        onWaiting: () => loop.wake(),
      },
      found,
    );

  const disabled = createDisabledEndpoints({ ...base, deliveries, directory, queues });
  const recovery = createRecovery({ ...base, deliveries, states, queues, onStepEnd: () => loop.wake() });
  const loop = createPollLoop({
    everyMs: config.deliveryPollMs,
    onError: (err) => logger.warn({ err }, "due.round_failed"),
    round: () =>
      dueRound({
        ...{ deliveries, states, pauses, queues, recovery, publish, clock },
        leaseMs: config.deliveryLeaseMs,
        giveUpDisabled: disabled.lookAgain,
        canPublish: jetstream.connected,
        observe,
      }),
  });
  const observe = dueObserver({ ...base, deliveries, pauses, queues });
  const health = createHealthReporter({
    ...base,
    report: neighbours.reportHealth,
    onChanged: directory.forget,
    onDisabled: disabled.giveUp,
    onFailing: states.endRecovery,
    async onHealed(endpointId) {
      await states.startRecovery(endpointId, clock.now());
      loop.wake();
    },
  });
  const ports = {
    ...base,
    deliveries,
    events,
    directory,
    pauses,
    queues,
    recent,
    sender,
    random: Math.random,
  };
  const store = commits.add;
  const deliverPorts = { ...ports, store, reportHealth: health.add };
  let lastAttemptAt = Number.NEGATIVE_INFINITY;
  const handler = runAttempts({
    ...ports,
    store,
    leaseMs: config.deliveryLeaseMs,
    async deliver(attempt) {
      lastAttemptAt = performance.now();
      const storeOutcome = await deliver(deliverPorts, attempt);
      return async () => {
        await storeOutcome();
        recovery.attempted(attempt.delivery);
      };
    },
  });

  let stopConsumers: () => Promise<void> = async () => undefined;

  return {
    ...{ deliveries, events, directory, publish, plan },
    wake: loop.wake,
    isBusy: () => performance.now() - lastAttemptAt < QUIET_MS,
    ensureIndexes: letters.ensureIndexes,

    start() {
      const { confirmEvents: confirm } = neighbours;
      const recording = consumeEvents({ ...base, plan, deadLetters: letters, confirm });
      const attempting = consumeAttempts({ jetstream, handler, deadLetters: letters });
      loop.start();
      stopConsumers = async () => {
        // What waits in hand goes back, what is under way ends; only then is there nothing left to store.
        await Promise.all([recording.stop(), attempting.stop(), queues.stop(), loop.stop()]);
      };
    },

    async stop() {
      await stopConsumers();
      await commits.stop();
      await health.stop();
      await sender.close();
    },
  };
}

/** Without an attempt for this long the service counts as idle. */
const QUIET_MS = 10_000;

/** Durations are measured by a clock that nobody sets. */
const monotonic: Clock["now"] = () => performance.now();
