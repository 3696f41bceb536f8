/** Puts together the way of an attempt: consumer, judge, task, queue, send, record. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { DeadLetters } from "../../../shared/jetstream/dead-letters.ts";
import type { Consumption, JetStream } from "../../../shared/jetstream/jetstream.ts";
import type { Lanes } from "../../../shared/lanes.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { createSender, type SenderDeps } from "../send/send-attempt.ts";
import type { TaskDeps } from "./attempt-task.ts";
import { consumeAttempts } from "./attempts.consumer.ts";
import type { LoadDeps } from "./load-attempts.ts";
import { runAttempts } from "./run-attempts.ts";
import { createUpdateStore } from "./update-store.ts";

type Deps = Omit<TaskDeps & LoadDeps, "sender" | "store" | "recorded" | "random"> &
  Pick<SenderDeps, "config"> & {
    deliveries: Pick<DeliveryRepository, "load" | "apply">;
    queues: EndpointQueues;
    jetstream: Pick<JetStream, "consume">;
    deadLetters: Pick<DeadLetters, "keep">;
    lanes: Pick<Lanes, "lane">;
  };

export type Attempts = {
  start(): void;
  /** A request was made lately. */
  isBusy(): boolean;
  stop(): Promise<void>;
};

const QUIET_MS = 10_000;
/** More than a consumer holds: a copy cannot come later than so many others. */
const MAX_RECORDED = 5_000;

export function createAttempts(deps: Deps): Attempts {
  const sender = createSender(deps);
  const updates = createUpdateStore(deps);
  let lastSentAt = Number.NEGATIVE_INFINITY;
  const handler = runAttempts({
    ...deps,
    sender: {
      send(request) {
        lastSentAt = performance.now();
        return sender.send(request);
      },
    },
    store: updates.store,
    recorded: new BoundedMap(MAX_RECORDED),
    random: Math.random,
  });
  let consumption: Consumption | undefined;

  return {
    start() {
      consumption = consumeAttempts({ ...deps, handler });
    },
    isBusy: () => performance.now() - lastSentAt < QUIET_MS,
    async stop() {
      // What waits in hand goes back, what is under way ends; only then is there nothing left to store.
      await Promise.all([consumption?.stop(), deps.queues.stop()]);
      await updates.stop();
      await sender.close();
    },
  };
}
