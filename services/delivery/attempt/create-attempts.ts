/** Puts together the way of an attempt: hand-over, judge, task, queue, send, record. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { Lanes } from "../../../shared/lanes.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { DeliveryRepository, OpenDelivery } from "../records/delivery.repository.ts";
import type { DeliveryUpdate } from "../records/delivery-update.rules.ts";
import { createSender, type SenderDeps } from "../send/send-attempt.ts";
import type { TaskDeps } from "./attempt-task.ts";
import { createHandOver, type HandOver, type HandOverDeps } from "./hand-over.ts";
import type { LoadDeps } from "./load-attempts.ts";
import { type RunAttempts, runAttempts } from "./run-attempts.ts";
import { createUpdateStore } from "./update-store.ts";

type Deps = Omit<TaskDeps & LoadDeps, "sender" | "store" | "recorded" | "random"> &
  Pick<SenderDeps, "config"> &
  Pick<HandOverDeps, "me" | "takeAttempts" | "isReachable"> & {
    deliveries: Pick<DeliveryRepository, "apply">;
    partitions: EndpointPartitions;
    queues: EndpointQueues;
    lanes: Pick<Lanes, "lane">;
    /** A delivery of this partner waits from this time on. */
    onWaiting(partnerId: string, at?: Date): void;
  };

export type Attempts = {
  run: RunAttempts;
  handOver: HandOver;
  /** A request was made lately. */
  isBusy(): boolean;
  stop(): Promise<void>;
};

const QUIET_MS = 10_000;
/** More than a due loop claims in a few rounds: a claim cannot be older than so many others. */
const MAX_RECORDED = 5_000;

export function createAttempts(deps: Deps): Attempts {
  const sender = createSender(deps);
  const updates = createUpdateStore(deps);
  const stopping = new AbortController();
  let lastSentAt = Number.NEGATIVE_INFINITY;

  async function store(update: DeliveryUpdate, { partnerId }: OpenDelivery): Promise<boolean> {
    try {
      await updates.store(update);
      if (!update.isFinal) deps.onWaiting(partnerId, update.set.claimableAt);
      return true;
    } catch (err) {
      const { deliveryId, attemptNo } = update;
      deps.logger.warn({ err, deliveryId, attemptNo }, "attempt.not_stored");
      return false;
    }
  }

  const run = runAttempts({
    ...deps,
    sender: {
      send(request) {
        lastSentAt = performance.now();
        return sender.send(request);
      },
    },
    store,
    recorded: new BoundedMap(MAX_RECORDED),
    random: Math.random,
    stopping: stopping.signal,
  });

  return {
    run,
    handOver: createHandOver({ ...deps, run, store }),
    isBusy: () => performance.now() - lastSentAt < QUIET_MS,
    async stop() {
      stopping.abort();
      // What waits in hand goes back, what is under way ends; only then is there nothing left to store.
      await deps.queues.stop();
      await updates.stop();
      await sender.close();
    },
  };
}
