/** Passes a first attempt to the process that owns its endpoint. A lost one is claimed from its record seconds later. */
import type { HandedAttempt } from "../../../shared/contract/actions/delivery.ts";
import type { OpenDelivery } from "../records/delivery.repository.ts";
import { putOff } from "../records/delivery-update.rules.ts";
import type { EventContent } from "../records/event.repository.ts";
import type { AttemptDeps } from "./attempt-deps.ts";
import { refOf } from "./attempt-task.ts";
import type { RunAttempts } from "./run-attempts.ts";

/** A first attempt whose delivery this process has just stored. */
export type ScheduledAttempt = { delivery: OpenDelivery; content: EventContent };

type Deps = Pick<AttemptDeps, "runtime" | "endpoints" | "store"> & {
  run: RunAttempts;
  peers: HandOverPeers;
};

export type HandOverPeers = {
  /** This process. */
  me: string;
  /** Whether a call to this process can arrive. */
  isReachable(node: string): boolean;
  /** Calls another process; answers the ids that it refuses. */
  takeAttempts(node: string, attempts: readonly HandedAttempt[]): Promise<readonly string[]>;
};

/** Longer than a call and an attempt take: the next owner of the partition does not repeat the attempt. */
const ON_THE_WAY_MS = 20_000;
const MAX_PER_CALL = 25;

export function createHandOver({ runtime, endpoints, store, run, peers }: Deps) {
  const { clock, config, logger } = runtime;
  const { partitions, queues } = endpoints;
  const { me } = peers;
  const isHere = (partnerId: string) => partitions.epoch(partnerId) !== null;

  async function call(node: string, scheduled: readonly ScheduledAttempt[]): Promise<void> {
    try {
      const refused = new Set(await peers.takeAttempts(node, scheduled.map(toHanded)));
      giveBack(scheduled.filter(({ delivery }) => refused.has(delivery._id)));
    } catch (err) {
      logger.debug({ err, node, attempts: scheduled.length }, "attempts.not_handed_over");
      giveBack(scheduled);
    }
  }

  /** Makes the attempts due for their owner; an attempt in flight or already made is not repeated. */
  function giveBack(scheduled: readonly Pick<ScheduledAttempt, "delivery">[]): void {
    for (const { delivery } of scheduled) void store(putOff(refOf(delivery), clock.now()));
  }

  return {
    /** The due loop claims a first attempt after this long; null when no process can take it now. */
    leaseMs(partnerId: string): number | null {
      if (isHere(partnerId)) return config.deliveryLeaseMs;
      const owner = partitions.owner(partnerId);
      // A dead owner keeps its partitions until its lease ends; its deliveries wait in the database.
      if (owner === null || owner === me || !peers.isReachable(owner)) return null;
      return Math.min(ON_THE_WAY_MS, config.deliveryLeaseMs);
    },
    /** Does not wait for the attempts. */
    give(scheduled: readonly ScheduledAttempt[]): void {
      for (const [endpointId, { length }] of Map.groupBy(scheduled, ({ delivery }) => delivery.endpointId))
        queues.announce(endpointId, length);
      void run(scheduled.filter(({ delivery }) => isHere(delivery.partnerId)));
      const elsewhere = scheduled.filter(({ delivery }) => !isHere(delivery.partnerId));
      for (const [node, some] of Map.groupBy(elsewhere, ({ delivery }) =>
        partitions.owner(delivery.partnerId),
      ))
        if (node === null || node === me) giveBack(some);
        else
          for (let at = 0; at < some.length; at += MAX_PER_CALL)
            void call(node, some.slice(at, at + MAX_PER_CALL));
    },
    giveBack,
    /** Takes attempts from another process; answers the ids whose partition this process does not own. */
    take(attempts: readonly HandedAttempt[]): string[] {
      void run(attempts.filter(({ partnerId }) => isHere(partnerId)).map(fromHanded));
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
