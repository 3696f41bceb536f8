/** Stores updates in batches: a single majority write costs the database twenty times one of a batch. */
import { createBatcher } from "../../../shared/batcher.ts";
import { errorCode } from "../../../shared/errors.ts";
import { type Lanes, noLanes } from "../../../shared/lanes.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";
import { retry } from "../../../shared/retry.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { DeliveryRepository } from "../records/delivery.repository.ts";
import type { DeliveryUpdate } from "../records/delivery-update.rules.ts";

export type UpdateStore = ReturnType<typeof createUpdateStore>;

type Deps = {
  deliveries: Pick<DeliveryRepository, "apply">;
  /** A delivery of this partner waits from this time on. */
  onWaiting(partnerId: string, at?: Date): void;
  logger: Logger;
  lanes?: Pick<Lanes, "lane">;
};

const MAX_PER_WRITE = 500;
/** Under load a batch gathers for this long, so that the database makes fewer writes. */
const GATHER_MS = 5;
const FIRST_WAIT_MS = 50;
const MAX_WAIT_MS = 2_000;

/** An abandoned write is repeated, too: its records are fenced. */
const isAway = (error: unknown): boolean =>
  isDatabaseAway(error) || errorCode(error) === "Service.Unavailable";

export function createUpdateStore({ deliveries, onWaiting, logger, lanes = noLanes }: Deps) {
  const lane = lanes.lane("outcomes");
  const stopping = new AbortController();
  const batcher = createBatcher<DeliveryUpdate, void>({
    async run(updates) {
      await retry(() => lane(() => deliveries.apply(updates)), {
        firstWaitMs: FIRST_WAIT_MS,
        maxWaitMs: MAX_WAIT_MS,
        isPassing: isAway,
        signal: stopping.signal,
        onFault: (err) => logger.warn({ err, updates: updates.length }, "updates.waiting"),
      });
      return updates.map(() => undefined);
    },
    maxBatch: MAX_PER_WRITE,
    maxInFlight: 1,
    gatherMs: GATHER_MS,
    isOneItemsFault: (error) => !isAway(error),
  });
  return {
    /** False when the update could not be stored: the due loop claims the attempt when its lease ends. */
    async store(update: DeliveryUpdate): Promise<boolean> {
      const { deliveryId, partnerId, attemptNo, isFinal, set } = update;
      try {
        await batcher.add(update);
        if (!isFinal) onWaiting(partnerId, set.claimableAt);
        return true;
      } catch (err) {
        logger.warn({ err, deliveryId, attemptNo }, "attempt.not_stored");
        return false;
      }
    },
    /** Stops trying again; resolves when nothing is under way. */
    async stop(): Promise<void> {
      stopping.abort();
      await batcher.drain();
    },
  };
}
