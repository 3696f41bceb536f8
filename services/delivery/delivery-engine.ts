/** Everything that moves in the delivery service, put together: intake, attempts, and what looks after those that wait. */

import { DEAD_LETTERS_COLLECTION, deadLetters } from "../../shared/jetstream/dead-letters.ts";
import { LONG_ROUND_MS } from "../../shared/lanes.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { attemptPublisher } from "./attempt/attempt-message.ts";
import { createAttempts } from "./attempt/create-attempts.ts";
import { createDue } from "./due/create-due.ts";
import { endpointActivity } from "./endpoint/endpoint-activity.ts";
import { createEndpointDirectory } from "./endpoint/endpoint-directory.ts";
import { createEndpointPauses } from "./endpoint/endpoint-pauses.ts";
import { createEndpointQueues } from "./endpoint/endpoint-queues.ts";
import { endpointStateRepository } from "./endpoint/endpoint-state.repository.ts";
import { endpointTimesRepository } from "./endpoint/endpoint-times.repository.ts";
import { createEndpointTimes } from "./endpoint/endpoint-times.ts";
import { createHealthReporter } from "./endpoint/health-reporter.ts";
import { createIntake } from "./intake/create-intake.ts";
import { createLateRouting } from "./intake/route-late.ts";
import type { Neighbours } from "./neighbours.ts";
import { deliveryRepository } from "./records/delivery.repository.ts";
import { eventRepository } from "./records/event.repository.ts";
import { createRecentDeliveries } from "./records/recent-deliveries.ts";

/** Time for the services to meet. */
const LATE_ROUTES_FIRST_MS = 5_000;
const LATE_ROUTES_EVERY_MS = 10_000;
const LATE_ROUTES_PAUSE_MS = 1_000;

export function createDeliveryEngine(runtime: Runtime, neighbours: Neighbours) {
  const { config, clock } = runtime;
  const { connection } = runtime.mongo;
  const letters = deadLetters(connection.collection(DEAD_LETTERS_COLLECTION), clock);
  const states = endpointStateRepository(connection);
  const directory = createEndpointDirectory({
    ...runtime,
    lookUp: neighbours.endpointForDelivery,
    cipher: createFieldCipher(config.webhookKeys),
  });
  const queues = createEndpointQueues({
    maxInFlight: config.deliveryInFlight,
    maxPerEndpoint: config.deliveryPerEndpoint,
    nowMs: () => performance.now(),
  });
  const base = {
    ...runtime,
    deliveries: deliveryRepository(connection),
    events: eventRepository(connection),
    recent: createRecentDeliveries(clock),
    pauses: createEndpointPauses({ ...runtime, states }),
    publish: attemptPublisher({ ...runtime, queues }),
    deadLetters: letters,
    ...{ states, directory, queues },
  };
  const times = endpointTimesRepository(connection);
  const seen = createEndpointTimes({ ...runtime, times });
  const due = createDue(base);
  const intake = createIntake({ ...base, onWaiting: due.wake, confirm: neighbours.confirmEvents });
  const lateRoutes = createPollLoop({
    lane: runtime.lanes.lane("late routes", LONG_ROUND_MS),
    round: createLateRouting({ ...base, lookUp: neighbours.endpointForDelivery, onWaiting: due.wake }),
    everyMs: LATE_ROUTES_EVERY_MS,
    busyPauseMs: () => LATE_ROUTES_PAUSE_MS,
    onError: (err) => runtime.logger.warn({ err }, "events.late_routing_failed"),
  });
  const health = createHealthReporter({
    ...runtime,
    report: neighbours.reportHealth,
    onChanged: directory.forget,
    onHealed: due.recover,
    onFailing: states.endRecovery,
    onDisabled: due.giveUp,
  });
  const attempts = createAttempts({
    ...base,
    reportHealth(endpoint, outcome, isExhausted) {
      seen.note(endpoint.endpointId, outcome.ok, clock.now());
      health.add(endpoint, outcome, isExhausted);
    },
    onRecorded: due.attempted,
  });

  return {
    deliveries: base.deliveries,
    events: base.events,
    directory,
    publish: base.publish,
    activityOf: (endpointId: string) => endpointActivity({ ...base, times }, endpointId),
    wake: due.wake,
    isBusy: attempts.isBusy,
    start() {
      intake.start();
      attempts.start();
      due.start();
      seen.start();
      lateRoutes.start(LATE_ROUTES_FIRST_MS);
    },
    async stop() {
      await Promise.all([intake.stop(), attempts.stop(), due.stop(), lateRoutes.stop()]);
      await Promise.all([health.stop(), seen.stop()]);
    },
  };
}
