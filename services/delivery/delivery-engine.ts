/** Everything that moves in the delivery service, put together: record, plan, send, retry. */
import type { Clock } from "../../shared/clock.ts";
import { DEAD_LETTERS_COLLECTION, deadLetters } from "../../shared/dead-letters.ts";
import { createFieldCipher } from "../../shared/field-cipher.ts";
import { isDatabaseAway } from "../../shared/mongo.ts";
import type { Runtime } from "../../shared/runtime.ts";
import { publishAttempts } from "./attempt-job.ts";
import { consumeAttempts } from "./attempts.consumer.ts";
import { deliver } from "./deliver.ts";
import { deliveryRepository } from "./delivery.repository.ts";
import type { DeliveryUpdate } from "./delivery-update.rules.ts";
import { createDueLoop } from "./due-loop.ts";
import { dueRound } from "./due-round.ts";
import { createEndpointDirectory, type RegisteredEndpoint } from "./endpoint-directory.ts";
import { createEndpointPauses } from "./endpoint-pauses.ts";
import { createEndpointQueues } from "./endpoint-queues.ts";
import { endpointStateRepository } from "./endpoint-state.repository.ts";
import { eventRepository } from "./event.repository.ts";
import type { NewEvent } from "./event.rules.ts";
import { consumeEvents } from "./events.consumer.ts";
import { createDisabledEndpoints } from "./give-up-disabled.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createHealthReporter, type HealthAnswer, type HealthReport } from "./health-reporter.ts";
import { dueObserver } from "./observe-due.ts";
import { planDeliveries } from "./plan-deliveries.ts";
import { createRecentPlans } from "./recent-plans.ts";
import { createRecovery } from "./recovery.ts";
import { runAttempts } from "./run-attempts.ts";
import { createSender } from "./send-attempt.ts";

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
        onWaiting: () => loop.kick(),
      },
      found,
    );

  const disabled = createDisabledEndpoints({ ...base, deliveries, directory, queues });
  const recovery = createRecovery({ ...base, deliveries, states, queues, onStepEnd: () => loop.kick() });
  const loop = createDueLoop({
    pollMs: config.deliveryPollMs,
    logger,
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
      loop.kick();
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
    kick: loop.kick,
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
