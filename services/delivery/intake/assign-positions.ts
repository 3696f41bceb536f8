/**
 * Gives an event its position in the feed once its predecessor has one: the previous event of the same customer.
 * The predecessor may be in another process, on its way again, or expired, so the wait is bounded.
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
  const positioned = new Set((await events.positionedOf(page.map(predecessorOf))).map(keyOf));
  const isReady = (event: UnpositionedEvent) =>
    event.sequence <= 1 || positioned.has(keyOf(predecessorOf(event))) || isOverdue(event);
  let waiting = page.toSorted((a, b) => a.sequence - b.sequence);
  let hasPositioned = false;
  for (;;) {
    // A statement assigns positions in any order, so it takes one event of each customer.
    const ready = Map.groupBy(waiting.filter(isReady), ({ customerId }) => customerId).values();
    const next = new Set([...ready].flatMap(([first]) => first ?? []));
    if (next.size === 0) return hasPositioned;
    await events.position([...next]);
    for (const event of next) positioned.add(keyOf(event));
    waiting = waiting.filter((event) => !next.has(event));
    hasPositioned = true;
  }
}

const predecessorOf = ({ partnerId, customerId, sequence }: UnpositionedEvent): CustomerEvent => ({
  partnerId,
  customerId,
  sequence: sequence - 1,
});

const keyOf = ({ customerId, sequence }: CustomerEvent): string => `${customerId} ${sequence}`;
