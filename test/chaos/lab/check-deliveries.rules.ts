/** Webhooks: each recorded event is sent, answered 2xx, unchanged, and repeated within a bound. */
import type { Delivery, Received, RecordedEvent, Snapshot } from "./checker.rules.ts";
import { grouped } from "./grouped.rules.ts";

type Found = Pick<Snapshot, "events" | "deliveries" | "received" | "disabled" | "faultsAtOnce">;

/** Older events were recorded, and their deliveries made, before the fault. */
const BACKLOG_MS = 60_000;
/**
 * After a 2xx only a fault makes a process send again: a fault lasts at most eight seconds and the lease is five, so two
 * owners may follow the first. More faults of a round repeat more. A restart is one.
 */
const REPEATS_PER_FAULT = 2;

export const isSuccess = ({ answered }: Pick<Received, "answered">): boolean =>
  answered !== null && answered >= 200 && answered < 300;

/** How often each delivery was answered 2xx, if more than once. */
export const repeatsOf = (received: readonly Received[]): number[] =>
  [...Map.groupBy(received.filter(isSuccess), ({ deliveryId }) => deliveryId).values()]
    .map(({ length }) => length)
    .filter((times) => times > 1);

export const deliveryViolations = (found: Found): string[] => [
  ...checkSent(found),
  ...checkRepeats(found),
  ...checkContents(found),
];

function checkSent({ events, deliveries, received, disabled }: Found): string[] {
  const successes = received.filter(isSuccess);
  const [gotEvents, gotDeliveries] = [
    new Set(successes.map(({ eventId }) => eventId)),
    new Set(successes.map(({ deliveryId }) => deliveryId)),
  ];
  const firsts = Map.groupBy(
    deliveries.filter(({ series }) => series === null),
    ({ eventId }) => eventId,
  );
  const wasDisabled = (partnerId: string, atMs: number, beforeMs = 0) =>
    disabled.some(
      (time) => time.partnerId === partnerId && atMs >= time.fromMs - beforeMs && atMs <= time.toMs,
    );
  /** An event of just before was recorded, or waited, while the endpoint was disabled: its record says so. */
  const isExcused = ({ eventId, partnerId, occurredAtMs, isRouted }: RecordedEvent) =>
    wasDisabled(partnerId, occurredAtMs) ||
    ((!isRouted || firsts.get(eventId)?.[0]?.isDisabled) && wasDisabled(partnerId, occurredAtMs, BACKLOG_MS));
  const wanted = events.filter((event) => !isExcused(event));
  const isWanted = new Set(wanted.map(({ eventId }) => eventId));
  const exhausted = deliveries.filter(({ status, eventId, partnerId, series, createdAtMs, isDisabled }) => {
    if (status !== "Exhausted") return false;
    // An event of an earlier time may have been replayed to an endpoint that was disabled then.
    return series === null
      ? isWanted.has(eventId)
      : !wasDisabled(partnerId, createdAtMs, isDisabled ? BACKLOG_MS : 0);
  });
  const unplanned = wanted.filter(({ eventId }) => !firsts.has(eventId));
  const missing = wanted.filter(({ eventId }) => !gotEvents.has(eventId));
  const unsent = deliveries.filter(
    ({ status, deliveryId }) => status === "Delivered" && !gotDeliveries.has(deliveryId),
  );
  const doubled = [...firsts].filter(([, found]) => found.length > 1);
  return [
    ...grouped("recorded without a delivery", unplanned, eventOf),
    ...grouped("recorded and never received", missing, eventOf),
    ...grouped("delivered without an answer 2xx", unsent, nameOf),
    ...grouped("given up", exhausted, nameOf),
    ...grouped("planned twice", doubled, ([eventId]) => eventId),
  ];
}

function checkRepeats({ received, faultsAtOnce }: Found): string[] {
  const most = 1 + REPEATS_PER_FAULT * Math.max(1, faultsAtOnce);
  const repeats = repeatsOf(received);
  const tooOften = repeats.filter((times) => times > most);
  /** Faults take a round's while: the deliveries before and after them are sent once. */
  const deliveries = new Set(received.filter(isSuccess).map(({ deliveryId }) => deliveryId)).size;
  const isMost = repeats.length > MOST_REPEATED.atLeast && repeats.length > MOST_REPEATED.share * deliveries;
  return [
    ...grouped(`a delivery received more than ${most} times`, tooOften, (times) => `${times} times`),
    ...(isMost ? [`deliveries received more than once: ${repeats.length} of ${deliveries}`] : []),
  ];
}

/** Sixteen requests of each of two endpoints are under way at a fault, and each slot has a next one. */
const MOST_REPEATED = { share: 0.2, atLeast: 64 };

function checkContents({ events, received }: Found): string[] {
  const recorded = new Map(events.map((event) => [event.eventId, event]));
  const unsigned = received.filter(({ isSigned }) => !isSigned);
  const changed = received.filter(({ eventId, body }) => (recorded.get(eventId)?.body ?? body) !== body);
  const misled = received.filter(
    ({ eventId, partnerId }) => (recorded.get(eventId)?.partnerId ?? partnerId) !== partnerId,
  );
  return [
    ...grouped("received with a wrong signature", unsigned, eventOf),
    ...grouped("received with other bytes than recorded", changed, eventOf),
    ...grouped("received by another partner", misled, eventOf),
  ];
}

const eventOf = ({ eventId }: { eventId: string }): string => eventId;
const nameOf = ({ eventId, series }: Delivery): string => `${series === null ? "" : "replay of "}${eventId}`;
