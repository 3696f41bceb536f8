/**
 * Deliveries this process planned a moment ago: their first message needs no database read, because nobody else can
 * have changed the record since. Whatever is not found here is read there.
 */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { DeliveryRecord } from "./delivery.model.ts";
import type { EventContent } from "./event.repository.ts";

export type RecentDelivery = { delivery: DeliveryRecord; content: EventContent };

export type RecentDeliveries = {
  remember(delivery: DeliveryRecord, content: EventContent): void;
  /** Once only. */
  take(deliveryId: string): RecentDelivery | null;
};

/** Well below the lease, after which another process may send it. */
const USABLE_MS = 10_000;
const MAX_REMEMBERED = 5_000;

export function createRecentDeliveries(clock: Clock): RecentDeliveries {
  const recent = new BoundedMap<string, RecentDelivery & { until: number }>(MAX_REMEMBERED);
  return {
    remember(delivery, content) {
      const until = clock.now() + Math.min(USABLE_MS, delivery.claimableAt ? leaseOf(delivery) / 2 : 0);
      recent.set(delivery._id, { delivery, content, until });
    },
    take(deliveryId) {
      const found = recent.get(deliveryId);
      recent.delete(deliveryId);
      return found && found.until > clock.now() ? found : null;
    },
  };
}

const leaseOf = ({ claimableAt, createdAt }: DeliveryRecord): number =>
  (claimableAt?.getTime() ?? 0) - createdAt.getTime();
