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
import type { AskedReplay, ReplayJob } from "./replay-job.model.ts";

type Cursor = ReplayJob["cursor"];

export type ReplayRepository = ReturnType<typeof replayRepository>;

export function replayRepository(connection: Connection) {
  const jobs = collectionOf(connection, COLLECTIONS.replayJobs);
  const events = collectionOf(connection, COLLECTIONS.events);
  const deliveries = collectionOf(connection, COLLECTIONS.deliveries);

  return {
    /** The newest of a partner. */
    last: (partnerId: string): Promise<ReplayJob | null> =>
      jobs.findOne({ partnerId }, { sort: { number: -1 } }),
    /** False when the partner has a job with this number. */
    add: async (job: ReplayJob): Promise<boolean> => (await insertNew(jobs, [job])).size === 0,
    /** Claims a job that no process works on. */
    claim: (token: string, atMs: number, untilMs: number): Promise<ReplayJob | null> =>
      jobs.findOneAndUpdate(
        { claimableAt: { $lte: new Date(atMs) } },
        { $set: { claim: token, claimableAt: new Date(untilMs) } },
        { sort: { claimableAt: 1 }, returnDocument: "after" },
      ),
    /** False when another process has claimed the job. */
    async advance({ _id, claim }: ReplayJob, cursor: Cursor, added: number, untilMs: number) {
      const $set = { cursor, claimableAt: new Date(untilMs) };
      const { matchedCount } = await jobs.updateOne({ _id, claim }, { $set, $inc: { created: added } });
      return matchedCount === 1;
    },
    async finish({ _id, claim }: ReplayJob, atMs: number): Promise<void> {
      const $set = { claimableAt: null, finishedAt: new Date(atMs) };
      await jobs.updateOne({ _id, claim }, { $set });
    },
    /** Newest first. */
    list: (partnerId: string, limit: number): Promise<ReplayJob[]> =>
      jobs.find({ partnerId }).sort({ number: -1 }).limit(limit).toArray(),
    find: (partnerId: string, series: string): Promise<ReplayJob | null> =>
      jobs.findOne({ _id: series, partnerId }),
    /** Ends the creation of deliveries: the working process loses its claim. False when the job was finished. */
    async stop(_id: string, atMs: number, session: Session): Promise<boolean> {
      const $set = { finishedAt: new Date(atMs), isStopped: true, claimableAt: null, claim: null };
      const { matchedCount } = await jobs.updateOne({ _id, finishedAt: null }, { $set }, { session });
      return matchedCount === 1;
    },
    /** Counts of its deliveries by status. */
    async progress({
      _id: replaySeries,
      partnerId,
    }: Pick<ReplayJob, "_id" | "partnerId">): Promise<DeliveryCounts> {
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
    count: (selection: AskedReplay): Promise<number> => events.countDocuments(selected(selection)),
    /** Events behind the cursor, oldest first. */
    eventsAfter: (selection: AskedReplay, cursor: Cursor, limit: number): Promise<DeliverableEvent[]> =>
      events
        .find<DeliverableEvent>(selected(selection, cursor), { projection: DELIVERABLE })
        .sort({ occurredAt: 1, _id: 1 })
        .limit(limit)
        .toArray(),
    /** Deliveries of events in this span of time. */
    deliveriesOf: ({ partnerId, eventTypes }: AskedReplay, from: Date, to: Date): Promise<PastDelivery[]> =>
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
  { partnerId, from, to, eventTypes, includeUnrouted, askedAt }: AskedReplay,
  cursor: Cursor = null,
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
