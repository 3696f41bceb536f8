/**
 * Passes first attempts to the process that owns their endpoint: this one, or another by a call that carries everything
 * the attempt needs. The record is the truth: an attempt that is lost on the way is claimed from it a few seconds later.
 */

import type { Clock } from "../../../shared/clock.ts";
import type { Config } from "../../../shared/config/config.ts";
import type { HandedAttempt } from "../../../shared/contract/actions/delivery.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { EndpointPartitions } from "../endpoint/endpoint-partitions.ts";
import type { EndpointQueues } from "../endpoint/endpoint-queues.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { type DeliveryUpdate, putOff } from "../records/delivery-update.rules.ts";
import type { EventContent } from "../records/event.repository.ts";
import { refOf } from "./attempt-task.ts";
import type { RunAttempts } from "./run-attempts.ts";

/** A first attempt whose delivery this process has just stored. */
export type ScheduledAttempt = { delivery: OpenDelivery; content: EventContent };

export type HandOver = {
  /** The due loop claims a first attempt after this long; null when no process can take it now. */
  leaseMs(partnerId: string): number | null;
  /** Does not wait for the attempts. */
  give(scheduled: readonly ScheduledAttempt[]): void;
  /** Makes the attempts due for their owner; an attempt in flight or already made is not repeated. */
  giveBack(scheduled: readonly Pick<ScheduledAttempt, "delivery">[]): void;
  /** Takes attempts from another process; answers the ids whose partition this process does not own. */
  take(attempts: readonly HandedAttempt[]): string[];
};

export type HandOverDeps = {
  /** This process. */
  me: string;
  partitions: Pick<EndpointPartitions, "epoch" | "owner">;
  queues: Pick<EndpointQueues, "announce">;
  run: RunAttempts;
  /** Whether a call to this process can arrive. */
  isReachable(node: string): boolean;
  /** Calls another process; answers what it did not take. */
  takeAttempts(node: string, attempts: readonly HandedAttempt[]): Promise<readonly string[]>;
  store(update: DeliveryUpdate, delivery: OpenDelivery): Promise<unknown>;
  clock: Clock;
  config: Pick<Config, "deliveryLeaseMs">;
  logger: Logger;
};

/** Longer than a call and an attempt take: who holds the partition next does not make the attempt once more. */
const ON_THE_WAY_MS = 20_000;
const MAX_PER_CALL = 25;

export function createHandOver(deps: HandOverDeps): HandOver {
  const { me, partitions, queues, clock, logger } = deps;
  const { deliveryLeaseMs } = deps.config;
  const isHere = (partnerId: string) => partitions.epoch(partnerId) !== null;

  function giveTo(node: string | null, scheduled: readonly ScheduledAttempt[]): void {
    if (node === null || node === me) giveBack(scheduled);
    else
      for (let at = 0; at < scheduled.length; at += MAX_PER_CALL)
        void call(node, scheduled.slice(at, at + MAX_PER_CALL));
  }

  async function call(node: string, scheduled: readonly ScheduledAttempt[]): Promise<void> {
    try {
      const refused = new Set(await deps.takeAttempts(node, scheduled.map(toHanded)));
      giveBack(scheduled.filter(({ delivery }) => refused.has(delivery._id)));
    } catch (err) {
      logger.debug({ err, node, attempts: scheduled.length }, "attempts.not_handed_over");
      giveBack(scheduled);
    }
  }

  function giveBack(scheduled: readonly Pick<ScheduledAttempt, "delivery">[]): void {
    for (const { delivery } of scheduled) void deps.store(putOff(refOf(delivery), clock.now()), delivery);
  }

  return {
    leaseMs(partnerId) {
      if (isHere(partnerId)) return deliveryLeaseMs;
      const owner = partitions.owner(partnerId);
      // A dead owner keeps its partitions until its lease ends; its deliveries wait in the database.
      if (owner === null || owner === me || !deps.isReachable(owner)) return null;
      return Math.min(ON_THE_WAY_MS, deliveryLeaseMs);
    },
    give(scheduled) {
      for (const [endpointId, { length }] of Map.groupBy(scheduled, ({ delivery }) => delivery.endpointId))
        queues.announce(endpointId, length);
      const here = scheduled.filter(({ delivery }) => isHere(delivery.partnerId));
      const elsewhere = scheduled.filter(({ delivery }) => !isHere(delivery.partnerId));
      void deps.run(here);
      const byOwner = Map.groupBy(elsewhere, ({ delivery }) => partitions.owner(delivery.partnerId));
      for (const [node, some] of byOwner) giveTo(node, some);
    },
    giveBack,
    take(attempts) {
      void deps.run(attempts.filter(({ partnerId }) => isHere(partnerId)).map(fromHanded));
      return attempts.filter(({ partnerId }) => !isHere(partnerId)).map(({ deliveryId }) => deliveryId);
    },
  };
}

const toHanded = ({ delivery, content }: ScheduledAttempt): HandedAttempt => ({
  deliveryId: delivery._id,
  partnerId: delivery.partnerId,
  endpointId: delivery.endpointId,
  eventId: delivery.eventId,
  eventType: delivery.eventType,
  eventVersion: delivery.eventVersion,
  replaySeries: delivery.replaySeries,
  body: content.envelopeJson,
  traceparent: content.traceparent,
  occurredAt: delivery.occurredAt.toISOString(),
});

const fromHanded = (handed: HandedAttempt): ScheduledAttempt => {
  const { deliveryId, body, traceparent, occurredAt, ...rest } = handed;
  return {
    delivery: {
      ...rest,
      occurredAt: new Date(occurredAt),
      _id: deliveryId,
      status: "Pending",
      attemptCount: 0,
      nextAttemptAt: null,
      postponed: 0,
    },
    content: { _id: rest.eventId, envelopeJson: body, traceparent },
  };
};
