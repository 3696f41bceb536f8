/**
 * Gives events their place in the feed once their predecessor has one: the event of the same customer with the sequence
 * before. The predecessor may be in another process, on its way again, or expired: so the wait for it is bounded.
 */
import type { Place } from "../../../shared/mongo/mongo.ts";
import type { CustomerEvent, EventRepository, UnplacedEvent } from "../records/event.repository.ts";

export type PlaceDeps = {
  events: Pick<EventRepository, "unplaced" | "placedOf" | "place">;
  /** A clock that is never set back. */
  monotonic: { now(): number };
};

const PER_PAGE = 500;
/** Longer than an outbox takes to publish an event again. */
const PREDECESSOR_WITHIN_MS = 2 * 60_000;

/** Each round goes through all events without a place; answers whether it gave places. */
export function createPlacing({ events, monotonic }: PlaceDeps): () => Promise<boolean> {
  /** When this process first saw an event that waits. */
  let seenAt = new Map<string, number>();

  return async () => {
    const now = monotonic.now();
    const seen = new Map<string, number>();
    let hasPlaced = false;
    let page: UnplacedEvent[];
    let last: UnplacedEvent | null = null;
    do {
      page = await events.unplaced(last, PER_PAGE);
      last = page.at(-1) ?? null;
      for (const { _id } of page) seen.set(_id, seenAt.get(_id) ?? now);
      const isOverdue = ({ _id }: Place) => now - (seen.get(_id) ?? now) >= PREDECESSOR_WITHIN_MS;
      hasPlaced = (await placePage(events, page, isOverdue)) || hasPlaced;
    } while (page.length === PER_PAGE);
    seenAt = seen;
    return hasPlaced;
  };
}

async function placePage(
  events: PlaceDeps["events"],
  page: readonly UnplacedEvent[],
  isOverdue: (event: UnplacedEvent) => boolean,
): Promise<boolean> {
  const found = await events.placedOf(page.flatMap(predecessorOf));
  const placed = new Set(found.map(keyOf));
  const isReady = (event: UnplacedEvent) =>
    predecessorOf(event).every((before) => placed.has(keyOf(before))) || isOverdue(event);
  let waiting = page.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  let hasPlaced = false;
  for (;;) {
    // A statement assigns positions in any order, so it takes one event of each customer.
    const next = firstOfEach(waiting.filter(isReady));
    if (next.size === 0) return hasPlaced;
    await events.place([...next]);
    for (const event of next) for (const own of asCustomerEvent(event, 0)) placed.add(keyOf(own));
    waiting = waiting.filter((event) => !next.has(event));
    hasPlaced = true;
  }
}

function firstOfEach(events: readonly UnplacedEvent[]): Set<UnplacedEvent> {
  const byCustomer = Map.groupBy(events, ({ _id, customerId }) => customerId ?? _id);
  return new Set([...byCustomer.values()].flatMap(([first]) => (first ? [first] : [])));
}

const predecessorOf = (event: UnplacedEvent): CustomerEvent[] =>
  asCustomerEvent(event, 1).filter(({ sequence }) => sequence > 0);

/** None for an event that is of no customer. */
const asCustomerEvent = (
  { partnerId, customerId, sequence }: UnplacedEvent,
  before: number,
): CustomerEvent[] =>
  customerId === null || sequence === null ? [] : [{ partnerId, customerId, sequence: sequence - before }];

const keyOf = ({ customerId, sequence }: CustomerEvent): string => `${customerId} ${sequence}`;
