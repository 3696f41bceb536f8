/** Composes the path of an attempt: hand over, judge, queue, send, record. */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { ServiceRuntime } from "../../../shared/moleculer/service.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import { createSender } from "../send/send-attempt.ts";
import type { AttemptDeps } from "./attempt-deps.ts";
import { createHandOver, type HandOverPeers } from "./hand-over.ts";
import { runAttempts } from "./run-attempts.ts";
import { createUpdateStore } from "./update-store.ts";

type Ports = Pick<AttemptDeps, "events" | "endpoints" | "excerpts" | "reportHealth" | "onRecorded"> & {
  deliveries: DeliveryRepository;
  peers: HandOverPeers;
  /** A delivery of this partner waits from this time on. */
  onWaiting(partnerId: string, at?: Date): void;
};

/** More than the due loop claims in a few rounds, so no claim is older than the entries here. */
const MAX_RECORDED = 5_000;

export function createAttempts(runtime: ServiceRuntime, ports: Ports) {
  const { logger, lanes } = runtime;
  const { events, deliveries, endpoints, excerpts, peers, onWaiting, reportHealth, onRecorded } = ports;
  const sender = createSender(runtime);
  const { store, stop } = createUpdateStore({ deliveries, onWaiting, logger, lanes });
  const stopping = new AbortController();

  const run = runAttempts({
    runtime,
    events,
    endpoints,
    excerpts,
    sender,
    store,
    recorded: new BoundedMap(MAX_RECORDED),
    reportHealth,
    onRecorded,
    stopping: stopping.signal,
  });

  return {
    run,
    handOver: createHandOver({ runtime, endpoints, store, run, peers }),
    isBusy: sender.isBusy,
    async stop(): Promise<void> {
      stopping.abort();
      // Queued attempts are put off and running ones finish; only then is nothing left to store.
      await endpoints.queues.stop();
      await stop();
      await sender.close();
    },
  };
}
