/**
 * Records events. An event gets its position in the feed with the insert if its predecessor certainly has an earlier one: the
 * previous event of the same customer. assign-positions.ts positions the others. So recording needs no further query.
 */
import { BoundedMap } from "../../../shared/bounded-map.ts";
import type { EventRecord } from "../records/event.model.ts";
import type { EventRepository } from "../records/event.repository.ts";

/** Records events in the order of their customers. `known` has the indexes of events that were recorded before. */
export type RecordInOrder = <T extends EventRecord>(
  events: readonly T[],
) => Promise<{ events: T[]; known: ReadonlyMap<number, string> }>;

type Deps = {
  events: Pick<EventRepository, "record" | "removePositions">;
  /** Two shards make positions by two clocks: the order within one insert then says nothing. */
  areShards(): Promise<boolean>;
};

/** Customers with an event that this process recorded lately. */
const MAX_REMEMBERED = 20_000;

export function createFeedOrder({ events: repository, areShards }: Deps): RecordInOrder {
  /** The latest sequence that has a position, by customer. */
  const positionedUpTo = new BoundedMap<string, number>(MAX_REMEMBERED);

  return async (all) => {
    const isOrdered = !(await areShards());
    const events = all.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
    const waiting = waitingIn(events, isOrdered);
    const known = await repository.record(events, waiting);
    const early = remember(events, waiting, known);
    if (early.length > 0) await repository.removePositions(early);
    return { events, known };
  };

  function waitingIn(events: readonly EventRecord[], isOrdered: boolean): Set<string> {
    const inThisInsert = new Map<string, number>();
    const waiting = new Set<string>();
    for (const { _id, customerId, sequence } of events) {
      if (customerId === null || sequence === null) continue;
      const before = Math.max(positionedUpTo.get(customerId) ?? 0, inThisInsert.get(customerId) ?? 0);
      if (before < sequence - 1) waiting.add(_id);
      else if (isOrdered) inThisInsert.set(customerId, sequence);
    }
    return waiting;
  }

  /** Answers the events whose predecessor was recorded before, perhaps without a position. */
  function remember(
    events: readonly EventRecord[],
    waiting: ReadonlySet<string>,
    known: ReadonlyMap<number, string>,
  ): EventRecord[] {
    const unsure = new Set<string>();
    const early: EventRecord[] = [];
    for (const [index, event] of events.entries()) {
      const { _id, customerId, sequence } = event;
      if (customerId === null || sequence === null) continue;
      const isPositioned = (positionedUpTo.get(customerId) ?? 0) >= sequence;
      if (known.has(index) && !isPositioned) unsure.add(customerId);
      if (known.has(index) || waiting.has(_id)) continue;
      if (unsure.has(customerId)) early.push(event);
      else if (!isPositioned) positionedUpTo.set(customerId, sequence);
    }
    return early;
  }
}
