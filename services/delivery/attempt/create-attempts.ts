/** Composes the path of an attempt: hand over, judge, queue, send, record. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import type { Endpoints } from "../endpoint/endpoints.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import type { DeliveryUpdate } from "../records/delivery-update.rules.ts";
import type { Records } from "../records/records.ts";
import { createSender } from "../send/send-attempt.ts";
import type { AttemptDeps } from "./attempt-deps.ts";
import { createHandOver, type HandOver, type HandOverDeps } from "./hand-over.ts";
import { type RunAttempts, runAttempts } from "./run-attempts.ts";
import { createUpdateStore } from "./update-store.ts";

type Ports = {
  records: Records;
  endpoints: Endpoints;
  excerpts: AttemptDeps["excerpts"];
  peers: Pick<HandOverDeps, "me" | "takeAttempts" | "isReachable">;
  /** A delivery of this partner waits from this time on. */
  onWaiting(partnerId: string, at?: Date): void;
  reportHealth: AttemptDeps["reportHealth"];
  onRecorded: AttemptDeps["onRecorded"];
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

export function createAttempts(runtime: ServiceRuntime, ports: Ports): Attempts {
  const { config, clock, logger, metrics, tracer, lanes } = runtime;
  const { records, endpoints, excerpts, peers, onWaiting, reportHealth, onRecorded } = ports;
  const { directory, partitions, pauses, queues } = endpoints;
  const sender = createSender({ config, clock, logger, metrics });
  const updates = createUpdateStore({ deliveries: records.deliveries, logger, lanes });
  const stopping = new AbortController();
  let lastSentAt = Number.NEGATIVE_INFINITY;

  async function store(update: DeliveryUpdate, { partnerId }: OpenDelivery): Promise<boolean> {
    try {
      await updates.store(update);
      if (!update.isFinal) onWaiting(partnerId, update.set.claimableAt);
      return true;
    } catch (err) {
      const { deliveryId, attemptNo } = update;
      logger.warn({ err, deliveryId, attemptNo }, "attempt.not_stored");
      return false;
    }
  }

  const run = runAttempts({
    events: records.events,
    directory,
    partitions,
    pauses,
    queues,
    sender: {
      send(request) {
        lastSentAt = performance.now();
        return sender.send(request);
      },
    },
    excerpts,
    store,
    recorded: new BoundedMap(MAX_RECORDED),
    reportHealth,
    onRecorded,
    stopping: stopping.signal,
    config,
    clock,
    random: Math.random,
    logger,
    metrics,
    tracer,
  });
  const { me, takeAttempts, isReachable } = peers;

  return {
    run,
    handOver: createHandOver({
      me,
      takeAttempts,
      isReachable,
      partitions,
      queues,
      run,
      store,
      clock,
      config,
      logger,
    }),
    isBusy: () => performance.now() - lastSentAt < QUIET_MS,
    async stop() {
      stopping.abort();
      // Queued attempts are put off and running ones finish; only then is nothing left to store.
      await queues.stop();
      await updates.stop();
      await sender.close();
    },
  };
}
