/** The queries of an outbox: an array of entries inside the documents of the aggregate that caused them. */
import type { mongo } from "mongoose";
import type { OutboxEntry } from "../events/events.ts";

export type OutboxCollection = mongo.Collection;

/** What a sweep reads of each event; bodies are most of an outbox and are rarely needed. */
export type PendingEvent = Pick<OutboxEntry, "eventId" | "occurredAt">;

export type OutboxStore = {
  /** Outboxes with an event after this id, oldest first, without bodies; event ids sort by time. */
  pageAfter(eventId: string, limit: number): Promise<PendingEvent[][]>;
  /** Full entries of those that still exist. */
  read(eventIds: readonly string[]): Promise<OutboxEntry[]>;
  /**
   * Removes entries; unknown ids are ignored. Resolves to the number of changed documents. Behind mongos only the shards of
   * the named partners are asked.
   */
  remove(eventIds: readonly string[], partnerIds?: readonly string[]): Promise<number>;
};

/** Partial: contains only documents with a pending event, so its size is that of the backlog. */
const OUTBOX_INDEX = {
  name: "outbox_event_id",
  key: { "outbox.eventId": 1 },
  partialFilterExpression: { "outbox.eventId": { $exists: true } },
} as const;

const QUERY_MS = 10_000;

/** Of the aggregate whose documents hold an outbox. */
export const outboxIndexOf = ({ collection }: { collection: Pick<OutboxCollection, "createIndex"> }) => ({
  createIndexes() {
    const { name, key, partialFilterExpression } = OUTBOX_INDEX;
    return collection.createIndex(key, { name, partialFilterExpression });
  },
});

export function outboxStore(collection: OutboxCollection): OutboxStore {
  return {
    async pageAfter(eventId, limit) {
      const found = await collection
        .find(
          { "outbox.eventId": { $gt: eventId } },
          { projection: { _id: 0, "outbox.eventId": 1, "outbox.occurredAt": 1 }, maxTimeMS: QUERY_MS },
        )
        // Ordered by the index scan; sorting on an array field would read everything first.
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
    async remove(eventIds, partnerIds) {
      const ids = { $in: [...eventIds] };
      const pull: object = { $pull: { outbox: { eventId: ids } } };
      // w: 1 is enough: if a failover loses the removal, the event is published and confirmed once more.
      const result = await collection.updateMany(
        { "outbox.eventId": ids, ...(partnerIds ? { partnerId: { $in: [...partnerIds] } } : {}) },
        pull,
        { writeConcern: { w: 1 }, hint: OUTBOX_INDEX.name },
      );
      return result.modifiedCount;
    },
  };
}
