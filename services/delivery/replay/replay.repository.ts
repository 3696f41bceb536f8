/** Replays of windows: the jobs, and the events they go through. */
import type { Connection, mongo } from "mongoose";
import type { DeliveryCounts } from "../../../shared/contract/answers/delivery.ts";
import { DELIVERY_STATUSES, type DeliveryStatus } from "../../../shared/contract/vocabularies.ts";
import { collectionOf, insertNew, onShardOf } from "../../../shared/mongo/mongo.ts";
import type { Session } from "../../../shared/stores/audit-trail.repository.ts";
import { COLLECTIONS } from "../collections.ts";
import { DELIVERABLE, type DeliverableEvent } from "../records/delivery.rules.ts";
import type { EventRecord } from "../records/event.model.ts";
import type { PastDelivery } from "./replay.rules.ts";
import type { ReplayJob } from "./replay-job.model.ts";

export type Selection = Pick<
  ReplayJob,
  "partnerId" | "from" | "to" | "eventTypes" | "includeUnrouted" | "askedAt"
>;

export type ReplayRepository = {
  /** The newest of a partner. */
  last(partnerId: string): Promise<ReplayJob | null>;
  /** False when the partner has one with this number. */
  add(job: ReplayJob): Promise<boolean>;
  /** Claims a job that no process works on. */
  claim(token: string, atMs: number, untilMs: number): Promise<ReplayJob | null>;
  /** False when another process has claimed the job. */
  advance(job: ReplayJob, cursor: ReplayJob["cursor"], added: number, untilMs: number): Promise<boolean>;
  finish(job: ReplayJob, atMs: number): Promise<void>;
  /** Window replays, newest first. */
  list(partnerId: string, limit: number): Promise<ReplayJob[]>;
  find(partnerId: string, series: string): Promise<ReplayJob | null>;
  /** No more deliveries are created: the process that works on the job loses its claim. False when it was finished. */
  stop(series: string, atMs: number, session: Session): Promise<boolean>;
  /** Counts of its deliveries by status. */
  progress(job: Pick<ReplayJob, "_id" | "partnerId">): Promise<DeliveryCounts>;
  count(selection: Selection): Promise<number>;
  /** Events behind the cursor, oldest first. */
  eventsAfter(selection: Selection, cursor: ReplayJob["cursor"], limit: number): Promise<DeliverableEvent[]>;
  /** Deliveries of events in this span of time. */
  deliveriesOf(selection: Selection, from: Date, to: Date): Promise<PastDelivery[]>;
};

export function replayRepository(connection: Connection): ReplayRepository {
  const jobs = collectionOf(connection, COLLECTIONS.replayJobs);
  const events = collectionOf(connection, COLLECTIONS.events);
  const deliveries = collectionOf(connection, COLLECTIONS.deliveries);

  return {
    last: (partnerId) => jobs.findOne({ partnerId }, { sort: { number: -1 } }),
    add: async (job) => (await insertNew(jobs, [job])).size === 0,
    claim: (token, atMs, untilMs) =>
      jobs.findOneAndUpdate(
        { claimableAt: { $lte: new Date(atMs) } },
        { $set: { claim: token, claimableAt: new Date(untilMs) } },
        { sort: { claimableAt: 1 }, returnDocument: "after" },
      ),
    async advance({ _id, claim }, cursor, added, untilMs) {
      const $set = { cursor, claimableAt: new Date(untilMs) };
      const { matchedCount } = await jobs.updateOne({ _id, claim }, { $set, $inc: { created: added } });
      return matchedCount === 1;
    },
    async finish({ _id, claim }, atMs) {
      const $set = { claimableAt: null, finishedAt: new Date(atMs) };
      await jobs.updateOne({ _id, claim }, { $set });
    },
    list: (partnerId, limit) => jobs.find({ partnerId }).sort({ number: -1 }).limit(limit).toArray(),
    find: (partnerId, series) => jobs.findOne({ _id: series, partnerId }),
    async stop(_id, atMs, session) {
      const $set = { finishedAt: new Date(atMs), isStopped: true, claimableAt: null, claim: null };
      const { matchedCount } = await jobs.updateOne({ _id, finishedAt: null }, { $set }, { session });
      return matchedCount === 1;
    },
    async progress({ _id: replaySeries, partnerId }) {
      const ofReplay = { replaySeries, ...(await onShardOf(connection, partnerId)) };
      const countOf = (status: DeliveryStatus) =>
        deliveries.countDocuments({ ...ofReplay, status }, { hint: "series" });
      const [pending, delivered, exhausted] = await Promise.all([
        countOf("Pending"),
        countOf("Delivered"),
        countOf("Exhausted"),
      ]);
      return { pending, delivered, exhausted };
    },
    count: (selection) => events.countDocuments(selected(selection)),
    eventsAfter: (selection, cursor, limit) =>
      events
        .find<DeliverableEvent>(selected(selection, cursor), {
          projection: DELIVERABLE,
        })
        .sort({ occurredAt: 1, _id: 1 })
        .limit(limit)
        .toArray(),
    deliveriesOf: ({ partnerId, eventTypes }, from, to) =>
      deliveries
        .find<PastDelivery>(
          {
            partnerId,
            counted: { $in: [true, false] },
            status: { $in: [...DELIVERY_STATUSES] },
            eventType: { $in: eventTypes },
            occurredAt: { $gte: from, $lte: to },
          },
          { projection: { _id: 0, eventId: 1, createdAt: 1, status: 1, completedAt: 1 } },
        )
        .toArray(),
  };
}

function selected(
  { partnerId, from, to, eventTypes, includeUnrouted, askedAt }: Selection,
  cursor: ReplayJob["cursor"] = null,
): mongo.Filter<EventRecord> {
  return {
    partnerId,
    occurredAt: { $gte: cursor?.occurredAt ?? from, $lte: to },
    eventType: { $in: [...eventTypes] },
    recordedAt: { $lte: askedAt },
    ...(includeUnrouted ? {} : { endpointId: { $ne: null } }),
    ...(cursor
      ? {
          $or: [
            { occurredAt: { $gt: cursor.occurredAt } },
            { occurredAt: cursor.occurredAt, _id: { $gt: cursor.eventId } },
          ],
        }
      : {}),
  };
}
