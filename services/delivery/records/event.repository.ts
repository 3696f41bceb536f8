/** Recorded events: where they were sent, and what every receiver gets. */
import type { Connection } from "mongoose";
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import { collectionOf, insertNew } from "../../../shared/mongo/mongo.ts";
import { DELIVERABLE, type DeliverableEvent } from "./delivery.rules.ts";
import { type EventRecord, eventModel } from "./event.model.ts";
import { insertInTime } from "./insert-in-time.repository.ts";

export type EventContent = Pick<EventRecord, "_id" | "envelopeJson" | "traceparent">;

type FedEvent = Pick<EventRecord, "_id" | "recordedAt"> & { envelopeJson: string };

export type EventRepository = {
  /** Stores the events that are new and answers the positions of the others. Doing it twice changes nothing. */
  record(events: readonly EventRecord[]): Promise<ReadonlyMap<number, string>>;
  /** See insert-in-time.repository.ts. */
  recordInTime(event: EventRecord, endsAt: number): Promise<boolean>;
  /** Where recorded events were sent. */
  routes(ids: readonly string[]): Promise<Map<string, string | null>>;
  contents(ids: readonly string[]): Promise<EventContent[]>;
  find(id: string): Promise<EventRecord | null>;
  /** Partners with events that were sent nowhere. */
  unroutedPartners(): Promise<string[]>;
  /** Events of a partner, recorded in this span, that were sent nowhere and still have their body. */
  unrouted(
    partnerId: string,
    recorded: { from: Date; before: Date },
    limit: number,
  ): Promise<DeliverableEvent[]>;
  /** Events recorded after a position, until a time, that still have their body; in that order. */
  feed(partnerId: string, after: TimePosition, until: Date, limit: number): Promise<FedEvent[]>;
  /** Says where events were sent that were sent nowhere; answers how many still were. */
  route(ids: readonly string[], endpointId: string): Promise<number>;
};

export function eventRepository(connection: Connection): EventRepository {
  const collection = collectionOf(eventModel(connection));
  return {
    record: (events) => insertNew(collection, events),
    recordInTime: (event, endsAt) => insertInTime(connection, collection, event, endsAt),
    async routes(ids) {
      const found = collection.find({ _id: { $in: [...ids] } }, { projection: { endpointId: 1 } });
      return new Map((await found.toArray()).map(({ _id, endpointId }) => [_id, endpointId ?? null]));
    },
    contents: (ids) =>
      collection
        .find<EventContent>({ _id: { $in: [...ids] } }, { projection: { envelopeJson: 1, traceparent: 1 } })
        .toArray(),
    find: (id) => collection.findOne({ _id: id }),
    async unroutedPartners() {
      // As a group of firsts it reads one index key a partner.
      const found = collection.aggregate<{ _id: string }>([
        { $match: { endpointId: null, partnerId: { $gt: "" } } },
        { $sort: { partnerId: 1, recordedAt: 1 } },
        { $group: { _id: "$partnerId", first: { $first: "$recordedAt" } } },
      ]);
      return (await found.toArray()).map(({ _id }) => _id);
    },
    unrouted: (partnerId, { from, before }, limit) =>
      collection
        .find<DeliverableEvent>(
          {
            partnerId,
            endpointId: null,
            recordedAt: { $gte: from, $lt: before },
            envelopeJson: { $type: "string" },
          },
          { projection: DELIVERABLE },
        )
        .hint("unrouted")
        .sort({ recordedAt: 1 })
        .limit(limit)
        .toArray(),
    feed: (partnerId, { at, id }, until, limit) =>
      collection
        .find<FedEvent>(
          {
            partnerId,
            recordedAt: { $gte: at, $lte: until },
            $or: [{ recordedAt: { $gt: at } }, { _id: { $gt: id } }],
            envelopeJson: { $type: "string" },
          },
          { projection: { envelopeJson: 1, recordedAt: 1 } },
        )
        .hint("feed")
        .sort({ recordedAt: 1, _id: 1 })
        .limit(limit)
        .toArray(),
    async route(ids, endpointId) {
      const { modifiedCount } = await collection.updateMany(
        { _id: { $in: [...ids] }, endpointId: null },
        { $set: { endpointId } },
      );
      return modifiedCount;
    },
  };
}
