/**
 * Stores updates of deliveries together: a single majority write costs the database twenty times one of a batch. While
 * the database is away, updates are kept and written when it is back.
 */
import { createBatcher } from "../../../shared/batcher.ts";
import { isDatabaseAway } from "../../../shared/mongo.ts";
import { retry } from "../../../shared/retry.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import type { DeliveryUpdate } from "../records/delivery-update.rules.ts";

export type UpdateStore = {
  /** Resolves when the update is stored. */
  store(update: DeliveryUpdate): Promise<void>;
  /** Stops trying again; resolves when nothing is under way. */
  stop(): Promise<void>;
};

type Deps = { deliveries: Pick<DeliveryRepository, "apply">; logger: Logger };

const MAX_PER_WRITE = 500;
/** Under load a batch gathers for this long: below what an acknowledgement may be held back. */
const GATHER_MS = 5;
const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;

export function createUpdateStore({ deliveries, logger }: Deps): UpdateStore {
  const stopping = new AbortController();
  const batcher = createBatcher<DeliveryUpdate, void>({
    async run(updates) {
      await retry(() => deliveries.apply(updates), {
        firstWaitMs: FIRST_WAIT_MS,
        maxWaitMs: MAX_WAIT_MS,
        isPassing: isDatabaseAway,
        signal: stopping.signal,
        onFault: (err) => logger.warn({ err, updates: updates.length }, "updates.waiting"),
      });
      return updates.map(() => undefined);
    },
    maxBatch: MAX_PER_WRITE,
    maxInFlight: 1,
    gatherMs: GATHER_MS,
    isOneItemsFault: (error) => !isDatabaseAway(error),
  });
  return {
    store: batcher.add,
    async stop() {
      stopping.abort();
      await batcher.drain();
    },
  };
}
