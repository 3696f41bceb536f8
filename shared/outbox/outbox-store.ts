/** The queries of an outbox: an array of entries inside the documents of the aggregate that caused them. */
import type { mongo } from "mongoose";
import type { OutboxEntry } from "../contract/events.ts";

export type OutboxCollection = mongo.Collection;

/** A sweep reads no bodies: they are most of an outbox and are rarely needed. */
export type PendingEvent = Pick<OutboxEntry, "eventId" | "occurredAt">;
/** These fields of an entry as it is stored, of any type. */
export type StoredEvent = { readonly [field in keyof PendingEvent]?: unknown };

export type Holder = { _id: unknown; partnerId?: unknown; outbox: readonly unknown[] };

export type OutboxStore = ReturnType<typeof outboxStore>;

/** Partial: contains only documents with a pending event, so its size is that of the backlog. */
export const OUTBOX_INDEX = {
  name: "outbox_event_id",
  key: { "outbox.eventId": 1 },
  partialFilterExpression: { "outbox.eventId": { $exists: true } },
} as const;

const QUERY_MS = 10_000;

/** A projection by path would leave out an entry that is no object. An outbox that is no list counts as empty. */
const EACH_ENTRY = {
  $map: {
    input: { $cond: [{ $isArray: "$outbox" }, "$outbox", []] },
    in: { eventId: "$$this.eventId", occurredAt: "$$this.occurredAt" },
  },
};
/** Numbers stay of the type that they are stored as, so that an entry is found by its value. */
const AS_STORED = { promoteValues: false, promoteLongs: false };

export function outboxStore(collection: OutboxCollection) {
  return {
    /** Outboxes with an event after this id, oldest first, without bodies; event ids sort by time. */
    async pageAfter(eventId: string, limit: number): Promise<StoredEvent[][]> {
      const found = await collection
        .find(
          { "outbox.eventId": { $gt: eventId } },
          { projection: { _id: 0, outbox: EACH_ENTRY }, maxTimeMS: QUERY_MS },
        )
        // Ordered by the index scan; sorting on an array field would read everything first.
        .hint(OUTBOX_INDEX.name)
        .limit(limit)
        .toArray();
      return found.map((document) => document.outbox as StoredEvent[]);
    },
    /** The documents that have any of these events, with everything in their outboxes. */
    async read(eventIds: readonly string[]): Promise<Holder[]> {
      const found = await collection
        .find(
          { "outbox.eventId": { $in: [...eventIds] } },
          { projection: { partnerId: 1, outbox: 1 }, maxTimeMS: QUERY_MS, ...AS_STORED },
        )
        .hint(OUTBOX_INDEX.name)
        .toArray();
      return found as unknown as Holder[];
    },
    /** Removes the entries that equal one of these values in every field. False when the outbox had none of them. */
    async discard({ _id, partnerId }: Holder, values: readonly unknown[]): Promise<boolean> {
      const place = partnerId === undefined ? { _id } : { _id, partnerId };
      const pull: object = { $pullAll: { outbox: [...values] } };
      const result = await collection.updateOne(place as object, pull, { ignoreUndefined: false });
      return result.modifiedCount > 0;
    },
    /**
     * Removes entries; unknown ids are ignored. Resolves to the number of changed documents. Behind mongos only the shards
     * of the named partners are asked.
     */
    async remove(eventIds: readonly string[], partnerIds?: readonly string[]): Promise<number> {
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
