/**
 * Decides which events get their place in the feed when they are recorded. An event follows its predecessor: the event of
 * the same customer with the sequence before. It gets a place only when its predecessor certainly has an earlier one.
 * Every other event gets its place from place-events.ts. So no recording waits, and none asks the database more.
 */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { EventRecord } from "../records/event.model.ts";
import type { EventRepository } from "../records/event.repository.ts";

type Arranged<T> = {
  /** In the order of their insert. */
  events: T[];
  /** Ids of events that get no place yet. */
  waiting: ReadonlySet<string>;
};

export type FeedOrder = {
  arrange<T extends EventRecord>(events: readonly T[]): Promise<Arranged<T>>;
  /** After the insert; `known` has the positions of events that were recorded before. */
  recorded(arranged: Arranged<EventRecord>, known: ReadonlyMap<number, string>): Promise<void>;
};

type Deps = {
  events: Pick<EventRepository, "displace">;
  /** Two shards make places by two clocks: the order within one insert then says nothing. */
  areShards(): Promise<boolean>;
};

/** Customers with an event that this process recorded lately. */
const MAX_REMEMBERED = 20_000;

export function createFeedOrder({ events: repository, areShards }: Deps): FeedOrder {
  /** The latest sequence that has a place, by customer. */
  const placedUpTo = new BoundedMap<string, number>(MAX_REMEMBERED);

  return {
    async arrange(all) {
      const isOrdered = !(await areShards());
      const inThisInsert = new Map<string, number>();
      const waiting = new Set<string>();
      const events = all.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
      for (const { _id, customerId, sequence } of events) {
        if (customerId === null || sequence === null) continue;
        const before = Math.max(placedUpTo.get(customerId) ?? 0, inThisInsert.get(customerId) ?? 0);
        if (before < sequence - 1) waiting.add(_id);
        else if (isOrdered) inThisInsert.set(customerId, sequence);
      }
      return { events, waiting };
    },

    async recorded({ events, waiting }, known) {
      const unsure = new Set<string>();
      const early: EventRecord[] = [];
      for (const [index, event] of events.entries()) {
        const { _id, customerId, sequence } = event;
        if (customerId === null || sequence === null) continue;
        const isPlaced = (placedUpTo.get(customerId) ?? 0) >= sequence;
        // Recorded before, perhaps without a place: its successors in this insert must not be ahead of it.
        if (known.has(index) && !isPlaced) unsure.add(customerId);
        if (known.has(index) || waiting.has(_id)) continue;
        if (unsure.has(customerId)) early.push(event);
        else if (!isPlaced) placedUpTo.set(customerId, sequence);
      }
      if (early.length > 0) await repository.displace(early);
    },
  };
}
