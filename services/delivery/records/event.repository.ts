/** Recorded events: where they were sent, and what every receiver gets. */
import type { Connection } from "mongoose";
import type { TimePosition } from "../../../shared/input/time-pages.rules.ts";
import { BY_ID, collectionOf, insertNew, type Place, placed } from "../../../shared/mongo/mongo.ts";
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
  routes(events: readonly Place[]): Promise<Map<string, string | null>>;
  contents(events: readonly Place[]): Promise<EventContent[]>;
  find(partnerId: string, id: string): Promise<EventRecord | null>;
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
  route(events: readonly Place[], endpointId: string): Promise<number>;
};

export function eventRepository(connection: Connection): EventRepository {
  const collection = collectionOf(eventModel(connection));
  return {
    record: (events) => insertNew(collection, events),
    recordInTime: (event, endsAt) => insertInTime(connection, collection, event, endsAt),
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
    async route(events, endpointId) {
      const unrouted = { ...placed(events), endpointId: null };
      const { modifiedCount } = await collection.updateMany(unrouted, { $set: { endpointId } }, BY_ID);
      return modifiedCount;
    },
  };
}
