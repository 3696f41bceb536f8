/** Recorded events: where they were sent, and what every receiver gets. */
import type { Connection } from "mongoose";
import { collectionOf, insertNew } from "../../../shared/mongo.ts";
import { type EventRecord, eventModel } from "./event.model.ts";
import { insertInTime } from "./insert-in-time.repository.ts";

export type EventContent = Pick<EventRecord, "_id" | "envelopeJson" | "traceparent">;

export type EventRepository = {
  /** Stores the events that are new and answers the positions of the others. Doing it twice changes nothing. */
  record(events: readonly EventRecord[]): Promise<ReadonlyMap<number, string>>;
  /** See insert-in-time.repository.ts. */
  recordInTime(event: EventRecord, endsAt: number): Promise<void>;
  /** Where recorded events were sent. */
  routes(ids: readonly string[]): Promise<Map<string, string | null>>;
  contents(ids: readonly string[]): Promise<EventContent[]>;
  find(id: string): Promise<EventRecord | null>;
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
  };
}
