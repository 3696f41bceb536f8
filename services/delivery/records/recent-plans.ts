/**
 * What this process planned a moment ago: the first message of such a delivery needs no look at the database, because
 * nobody else can have touched the record since. Whatever is not found here is read there.
 */
import type { Clock } from "../../../shared/clock.ts";
import type { DeliveryRecord } from "./delivery.model.ts";
import type { EventContent } from "./event.repository.ts";

export type RecentPlan = { delivery: DeliveryRecord; content: EventContent };

export type RecentPlans = {
  remember(delivery: DeliveryRecord, content: EventContent): void;
  /** Once only. */
  take(deliveryId: string): RecentPlan | null;
};

/** Well below the lease, after which another process may send it. */
const USABLE_MS = 10_000;
const MOST_REMEMBERED = 5_000;

export function createRecentPlans(clock: Clock): RecentPlans {
  const plans = new Map<string, RecentPlan & { until: number }>();
  return {
    remember(delivery, content) {
      const until = clock.now() + Math.min(USABLE_MS, delivery.claimableAt ? leaseOf(delivery) / 2 : 0);
      plans.set(delivery._id, { delivery, content, until });
      const [oldest] = plans.keys();
      if (plans.size > MOST_REMEMBERED && oldest !== undefined) plans.delete(oldest);
    },
    take(deliveryId) {
      const plan = plans.get(deliveryId);
      plans.delete(deliveryId);
      return plan && plan.until > clock.now() ? plan : null;
    },
  };
}

const leaseOf = ({ claimableAt, createdAt }: DeliveryRecord): number =>
  (claimableAt?.getTime() ?? 0) - createdAt.getTime();
