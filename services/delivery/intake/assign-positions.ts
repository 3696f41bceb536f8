/**
 * Gives events their position in the feed once their predecessor has one: the event of the same customer with the sequence
 * before. The predecessor may be in another process, on its way again, or expired: so the wait for it is bounded.
 */
import type { Place } from "../../../shared/mongo/mongo.ts";
import type { CustomerEvent, EventRepository, UnpositionedEvent } from "../records/event.repository.ts";

export type PositioningDeps = {
  events: Pick<EventRepository, "unpositioned" | "positionedOf" | "position">;
  /** A clock that is never set back. */
  monotonic: { now(): number };
};

const PER_PAGE = 500;
/** Longer than an outbox takes to publish an event again. */
const PREDECESSOR_WITHIN_MS = 2 * 60_000;

/** Each round goes through all events without a position; answers whether it gave positions. */
export function createPositioning({ events, monotonic }: PositioningDeps): () => Promise<boolean> {
  /** When this process first saw an event that waits. */
  let seenAt = new Map<string, number>();

  return async () => {
    const now = monotonic.now();
    const seen = new Map<string, number>();
    let hasPositioned = false;
    let page: UnpositionedEvent[];
    let last: UnpositionedEvent | null = null;
    do {
      page = await events.unpositioned(last, PER_PAGE);
      last = page.at(-1) ?? null;
      for (const { _id } of page) seen.set(_id, seenAt.get(_id) ?? now);
      const isOverdue = ({ _id }: Place) => now - (seen.get(_id) ?? now) >= PREDECESSOR_WITHIN_MS;
      hasPositioned = (await positionPage(events, page, isOverdue)) || hasPositioned;
    } while (page.length === PER_PAGE);
    seenAt = seen;
    return hasPositioned;
  };
}

async function positionPage(
  events: PositioningDeps["events"],
  page: readonly UnpositionedEvent[],
  isOverdue: (event: UnpositionedEvent) => boolean,
): Promise<boolean> {
  const found = await events.positionedOf(page.flatMap(predecessorOf));
  const positioned = new Set(found.map(keyOf));
  const isReady = (event: UnpositionedEvent) =>
    predecessorOf(event).every((before) => positioned.has(keyOf(before))) || isOverdue(event);
  let waiting = page.toSorted((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0));
  let hasPositioned = false;
  for (;;) {
    // A statement assigns positions in any order, so it takes one event of each customer.
    const next = firstOfEach(waiting.filter(isReady));
    if (next.size === 0) return hasPositioned;
    await events.position([...next]);
    for (const event of next) for (const own of asCustomerEvent(event, 0)) positioned.add(keyOf(own));
    waiting = waiting.filter((event) => !next.has(event));
    hasPositioned = true;
  }
}

function firstOfEach(events: readonly UnpositionedEvent[]): Set<UnpositionedEvent> {
  const byCustomer = Map.groupBy(events, ({ _id, customerId }) => customerId ?? _id);
  return new Set([...byCustomer.values()].flatMap(([first]) => (first ? [first] : [])));
}

const predecessorOf = (event: UnpositionedEvent): CustomerEvent[] =>
  asCustomerEvent(event, 1).filter(({ sequence }) => sequence > 0);

/** None for an event that is of no customer. */
const asCustomerEvent = (
  { partnerId, customerId, sequence }: UnpositionedEvent,
  before: number,
): CustomerEvent[] =>
  customerId === null || sequence === null ? [] : [{ partnerId, customerId, sequence: sequence - before }];

const keyOf = ({ customerId, sequence }: CustomerEvent): string => `${customerId} ${sequence}`;
