/** The queries of an outbox: an array of entries inside the documents of the aggregate that caused them. */
import type { mongo } from "mongoose";
import type { OutboxEntry } from "../events/events.ts";

export type OutboxCollection = mongo.Collection;

/** What a search for work needs to know; most of the time there is none, and bodies are most of an outbox. */
export type PendingEvent = Pick<OutboxEntry, "eventId" | "occurredAt">;

export type OutboxStore = {
  ensureIndex(): Promise<void>;
  /** Outboxes that hold an event newer than the given id, oldest first, without the bodies; event ids sort by time. */
  pageAfter(eventId: string, limit: number): Promise<PendingEvent[][]>;
  /** The whole entries, of those that are still there. */
  read(eventIds: readonly string[]): Promise<OutboxEntry[]>;
  /** Removes entries; unknown ids are ignored. Answers how many documents changed. */
  remove(eventIds: readonly string[]): Promise<number>;
};

/** Holds only documents with a pending event, so it is as small as the backlog. */
const OUTBOX_INDEX = {
  name: "outbox_event_id",
  key: { "outbox.eventId": 1 },
  partialFilterExpression: { "outbox.eventId": { $exists: true } },
} as const;

const QUERY_MS = 10_000;

export function outboxStore(collection: OutboxCollection): OutboxStore {
  return {
    async ensureIndex() {
      const { name, key, partialFilterExpression } = OUTBOX_INDEX;
      await collection.createIndex(key, { name, partialFilterExpression });
    },
    async pageAfter(eventId, limit) {
      const found = await collection
        .find(
          { "outbox.eventId": { $gt: eventId } },
          { projection: { _id: 0, "outbox.eventId": 1, "outbox.occurredAt": 1 }, maxTimeMS: QUERY_MS },
        )
        // The scan of this index gives the order; a sort on an array field would read everything first.
        .hint(OUTBOX_INDEX.name)
        .limit(limit)
        .toArray();
      return found.map((document) => document.outbox as PendingEvent[]);
    },
    async read(eventIds) {
      const wanted = new Set(eventIds);
      const found = await collection
        .find(
          { "outbox.eventId": { $in: [...eventIds] } },
          { projection: { _id: 0, outbox: 1 }, maxTimeMS: QUERY_MS },
        )
        .hint(OUTBOX_INDEX.name)
        .toArray();
      return found
        .flatMap((document) => document.outbox as OutboxEntry[])
        .filter(({ eventId }) => wanted.has(eventId));
    },
    async remove(eventIds) {
      const ids = { $in: [...eventIds] };
      const pull: object = { $pull: { outbox: { eventId: ids } } };
      // A removal lost in a failover only means that the event is published and confirmed once more.
      const result = await collection.updateMany({ "outbox.eventId": ids }, pull, { writeConcern: { w: 1 } });
      return result.modifiedCount;
    },
  };
}
