/** Recorded events: their routes, their content and their order in the feed. */
import mongoose, { type Connection } from "mongoose";
import { BY_ID, collectionOf, insertNew, type Place, placed } from "../../../shared/mongo/mongo.ts";
import { COLLECTIONS } from "../collections.ts";
import { DELIVERABLE, type DeliverableEvent } from "./delivery.rules.ts";
import type { EventRecord } from "./event.model.ts";
import { type FeedPosition, type FeedTime, feedTimeBefore, isLater } from "./feed-position.rules.ts";

export type EventContent = Pick<EventRecord, "_id" | "envelopeJson" | "traceparent">;

type FedEvent = FeedPosition & { envelopeJson: string };

export type UnpositionedEvent = Pick<
  EventRecord,
  "_id" | "partnerId" | "customerId" | "sequence" | "recordedAt"
>;

/** An event of a customer. */
export type CustomerEvent = { partnerId: string; customerId: string; sequence: number };

/** In a new document the server puts its own time in place of an empty timestamp: unique, and later than any before. */
const SERVER_TIME = { t: 0, i: 0 };
/** The server ends the insert by then, so that an event is visible at most this long after it was given its position. */
const RECORD_WITHIN_MS = 10_000;

export type EventRepository = {
  /**
   * Stores the events that are new and answers the positions of the others. Doing it twice changes nothing. Each gets its
   * position in the feed with the insert, in the given order; not those whose ids are `waiting`.
   */
  record(events: readonly EventRecord[], waiting?: ReadonlySet<string>): Promise<ReadonlyMap<number, string>>;
  /** Where recorded events were sent. */
  routes(events: readonly Place[]): Promise<Map<string, string | null>>;
  contents(events: readonly Place[]): Promise<EventContent[]>;
  find(partnerId: string, id: string): Promise<EventRecord | null>;
  /** Partners with events that were sent nowhere. */
  unroutedPartners(): Promise<string[]>;
  /** Events of a partner, recorded in this span, that were sent nowhere. */
  unrouted(
    partnerId: string,
    recorded: { from: Date; before: Date },
    limit: number,
  ): Promise<DeliverableEvent[]>;
  /**
   * Events behind a position, in the order of the feed. Leaves out the youngest ones: beside
   * them another event with an earlier position may not be visible yet.
   */
  feed(partnerId: string, after: FeedPosition, settleMs: number, limit: number): Promise<FedEvent[]>;
  /** A page of the events that have no position in the feed, in the order of their recording. */
  unpositioned(after: UnpositionedEvent | null, limit: number): Promise<UnpositionedEvent[]>;
  /** The given events that have a position in the feed. */
  positionedOf(events: readonly CustomerEvent[]): Promise<CustomerEvent[]>;
  /** Gives positions to events that have none, in any order among them. */
  position(events: readonly Place[]): Promise<void>;
  /** Takes back positions that no reader of the feed can have seen yet. */
  removePositions(events: readonly Place[]): Promise<void>;
  /** Says where events were sent that were sent nowhere; answers how many still were. */
  route(events: readonly Place[], endpointId: string): Promise<number>;
};

export function eventRepository(connection: Connection): EventRepository {
  const collection = collectionOf(connection, COLLECTIONS.events);
  return {
    record: (events, waiting = new Set()) =>
      insertNew(
        collection,
        events.map((event) =>
          waiting.has(event._id) ? event : { ...event, feedAt: timestamp(SERVER_TIME) },
        ),
        { maxTimeMS: RECORD_WITHIN_MS },
      ),
    async routes(events) {
      const found = collection.find(placed(events), { projection: { endpointId: 1 }, ...BY_ID });
      return new Map((await found.toArray()).map(({ _id, endpointId }) => [_id, endpointId ?? null]));
    },
    contents: (events) =>
      collection
        .find<EventContent>(placed(events), { projection: { envelopeJson: 1, traceparent: 1 }, ...BY_ID })
        .toArray(),
    find: (partnerId, id) => collection.findOne({ _id: id, partnerId }, BY_ID),
    async unroutedPartners() {
      // With the hint it reads one index key a partner, on each shard.
      const found = collection.aggregate<{ _id: string }>(
        [{ $match: { endpointId: null, partnerId: { $gt: "" } } }, { $group: { _id: "$partnerId" } }],
        { hint: "unrouted" },
      );
      return (await found.toArray()).map(({ _id }) => _id);
    },
    unrouted: (partnerId, { from, before }, limit) =>
      collection
        .find<DeliverableEvent>(
          {
            partnerId,
            endpointId: null,
            recordedAt: { $gte: from, $lt: before },
          },
          { projection: DELIVERABLE },
        )
        .hint("unrouted")
        .sort({ recordedAt: 1 })
        .limit(limit)
        .toArray(),
    async feed(partnerId, { at, id }, settleMs, limit) {
      const time = timestamp(at);
      // The snapshot says how far the database was when it was read: no clock of a process counts.
      const session = await connection.startSession({ snapshot: true });
      try {
        const found = await collection
          .find<Pick<EventRecord, "_id"> & { feedAt: mongoose.mongo.Timestamp; envelopeJson: string }>(
            {
              partnerId,
              feedAt: { $gte: time },
              $or: [{ feedAt: { $gt: time } }, { _id: { $gt: id } }],
            },
            { session, projection: { envelopeJson: 1, feedAt: 1 }, readConcern: { level: "snapshot" } },
          )
          .hint("order")
          .sort({ feedAt: 1, _id: 1 })
          .limit(limit)
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
    unpositioned: (after, limit) =>
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
    async positionedOf(events) {
      if (events.length === 0) return [];
      const each = events.map(({ customerId, sequence }) => ({ customerId, sequence }));
      const partners = [...new Set(events.map(({ partnerId }) => partnerId))];
      const found = collection.find<CustomerEvent>(
        { $or: each, partnerId: { $in: partners }, feedAt: { $gt: timestamp({ t: 0, i: 0 }) } },
        { projection: { _id: 0, partnerId: 1, customerId: 1, sequence: 1 }, hint: "sequence" },
      );
      return found.toArray();
    },
    async position(events) {
      const unplaced = { ...placed(events), feedAt: null as never };
      await collection.updateMany(unplaced, { $currentDate: { feedAt: { $type: "timestamp" } } }, BY_ID);
    },
    async removePositions(events) {
      await collection.updateMany(placed(events), { $unset: { feedAt: 1 } }, BY_ID);
    },
    async route(events, endpointId) {
      const unrouted = { ...placed(events), endpointId: null };
      const { modifiedCount } = await collection.updateMany(unrouted, { $set: { endpointId } }, BY_ID);
      return modifiedCount;
    },
  };
}

const timestamp = (time: FeedTime) => new mongoose.mongo.Timestamp(time);
const feedTime = ({ high, low }: mongoose.mongo.Timestamp): FeedTime => ({ t: high >>> 0, i: low >>> 0 });
