/** Recorded events: their routes, their content and their order in the feed. */
import mongoose, { type Connection } from "mongoose";
import { BY_ID, collectionOf, insertNew, type Place, placed } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { DELIVERABLE, type DeliverableEvent } from "./delivery.rules.ts";
import type { EventRecord } from "./event.model.ts";
import { type FeedPosition, type FeedTime, feedTimeBefore, isLater } from "./feed-position.rules.ts";

export type EventContent = Pick<EventRecord, "_id" | "envelopeJson" | "traceparent">;

/** An event of a customer. */
export type CustomerEvent = { partnerId: string; customerId: string; sequence: number };

/** Only events of customers wait for a position. */
export type UnpositionedEvent = CustomerEvent & Pick<EventRecord, "_id" | "recordedAt">;

/** In a new document the server puts its own time in place of an empty timestamp: unique, and later than any before. */
const SERVER_TIME = { t: 0, i: 0 };
/** The server ends the insert by then, so that an event is visible at most this long after it was given its position. */
const RECORD_WITHIN_MS = 10_000;

export type EventRepository = ReturnType<typeof eventRepository>;

export function eventRepository(connection: Connection) {
  const collection = collectionOf(connection, COLLECTIONS.events);
  return {
    /**
     * Stores the events that are new, in this order, and answers the indexes of the others. Repeating it changes nothing.
     * The insert gives each event its position in the feed, except those whose ids are `waiting`.
     */
    record: (events: readonly EventRecord[], waiting: ReadonlySet<string> = new Set()) =>
      insertNew(
        collection,
        events.map((event) =>
          waiting.has(event._id) ? event : { ...event, feedAt: timestamp(SERVER_TIME) },
        ),
        { maxTimeMS: RECORD_WITHIN_MS },
      ),
    async routes(events: readonly Place[]): Promise<Map<string, string | null>> {
      const found = collection.find(placed(events), { projection: { endpointId: 1 }, ...BY_ID });
      return new Map((await found.toArray()).map(({ _id, endpointId }) => [_id, endpointId ?? null]));
    },
    contents: (events: readonly Place[]): Promise<EventContent[]> =>
      collection
        .find<EventContent>(placed(events), { projection: { envelopeJson: 1, traceparent: 1 }, ...BY_ID })
        .toArray(),
    find: (partnerId: string, id: string): Promise<EventRecord | null> =>
      collection.findOne({ _id: id, partnerId }, BY_ID),
    async unroutedPartners(): Promise<string[]> {
      // With the hint it reads one index key a partner, on each shard.
      const found = collection.aggregate<{ _id: string }>(
        [{ $match: { endpointId: null, partnerId: { $gt: "" } } }, { $group: { _id: "$partnerId" } }],
        { hint: "unrouted" },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },
    /** Events of a partner, recorded in this span, that were sent nowhere. */
    unrouted: (
      partnerId: string,
      { from, before }: { from: Date; before: Date },
      limit: number,
    ): Promise<DeliverableEvent[]> =>
      collection
        .find<DeliverableEvent>(
          { partnerId, endpointId: null, recordedAt: { $gte: from, $lt: before } },
          { projection: DELIVERABLE },
        )
        .hint("unrouted")
        .sort({ recordedAt: 1 })
        .limit(limit)
        .toArray(),
    /** In the order of the feed. Leaves out the youngest: an event with an earlier position may not be visible yet. */
    async feed(partnerId: string, { at, id }: FeedPosition, settleMs: number, limit: number) {
      const time = timestamp(at);
      // The snapshot says how far the database was when it was read: no clock of a process counts.
      const session = await connection.startSession({ snapshot: true });
      try {
        const found = await collection
          .find<Pick<EventRecord, "_id"> & { feedAt: mongoose.mongo.Timestamp; envelopeJson: string }>(
            { partnerId, feedAt: { $gte: time }, $or: [{ feedAt: { $gt: time } }, { _id: { $gt: id } }] },
            { session, projection: { envelopeJson: 1, feedAt: 1 }, readConcern: { level: "snapshot" } },
          )
          .hint("order")
          .sort({ feedAt: 1, _id: 1 })
          .limit(limit)
          // A page is a single answer: a cursor would be lost with the server.
          .batchSize(limit + 1)
          .toArray();
        const { snapshotTime } = session as { snapshotTime?: mongoose.mongo.Timestamp };
        if (!snapshotTime) throw new Error("The database did not name the time of its snapshot.");
        const until = feedTimeBefore(feedTime(snapshotTime), settleMs);
        return found
          .map(({ _id, feedAt, envelopeJson }) => ({ id: _id, at: feedTime(feedAt), envelopeJson }))
          .filter((event) => !isLater(event.at, until));
      } finally {
        await session.endSession();
      }
    },
    /** A page of the events that have no position in the feed, in the order of their recording. */
    unpositioned: (after: UnpositionedEvent | null, limit: number): Promise<UnpositionedEvent[]> =>
      collection
        .find<UnpositionedEvent>(
          {
            feedAt: null as never,
            ...(after
              ? {
                  recordedAt: { $gte: after.recordedAt },
                  $or: [{ recordedAt: { $gt: after.recordedAt } }, { _id: { $gt: after._id } }],
                }
              : {}),
          },
          { projection: { partnerId: 1, customerId: 1, sequence: 1, recordedAt: 1 } },
        )
        .hint("unplaced")
        .sort({ recordedAt: 1, _id: 1 })
        .limit(limit)
        .toArray(),
    async positionedOf(events: readonly CustomerEvent[]): Promise<CustomerEvent[]> {
      if (events.length === 0) return [];
      const each = events.map(({ customerId, sequence }) => ({ customerId, sequence }));
      const partners = [...new Set(events.map(({ partnerId }) => partnerId))];
      const found = collection.find<CustomerEvent>(
        { $or: each, partnerId: { $in: partners }, feedAt: { $gt: timestamp({ t: 0, i: 0 }) } },
        { projection: { _id: 0, partnerId: 1, customerId: 1, sequence: 1 }, hint: "sequence" },
      );
      return found.toArray();
    },
    /** Gives positions to events that have none, in any order among them. */
    async position(events: readonly Place[]): Promise<void> {
      const unplaced = { ...placed(events), feedAt: null as never };
      await collection.updateMany(unplaced, { $currentDate: { feedAt: { $type: "timestamp" } } }, BY_ID);
    },
    /** Takes back positions that no reader of the feed can have seen yet. */
    async removePositions(events: readonly Place[]): Promise<void> {
      await collection.updateMany(placed(events), { $unset: { feedAt: 1 } }, BY_ID);
    },
    /** Stores the endpoint of events that were sent nowhere; answers how many still were. */
    async route(events: readonly Place[], endpointId: string): Promise<number> {
      const unrouted = { ...placed(events), endpointId: null };
      const { modifiedCount } = await collection.updateMany(unrouted, { $set: { endpointId } }, BY_ID);
      return modifiedCount;
    },
  };
}

const timestamp = (time: FeedTime) => new mongoose.mongo.Timestamp(time);
const feedTime = ({ high, low }: mongoose.mongo.Timestamp): FeedTime => ({ t: high >>> 0, i: low >>> 0 });
