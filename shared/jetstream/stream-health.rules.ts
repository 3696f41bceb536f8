/** Pure: whether a stream still gives out what it holds. After a fault of its disk a server may know of messages and never give them out. */
import type { StreamSpec } from "./streams.ts";

/** Numbers of a stream and its consumers. */
export type StreamNumbers = {
  /** When the stream was made: another one of the same name has another time. */
  created: string;
  firstSequence: number;
  lastSequence: number;
  messages: number;
  consumers: readonly ConsumerNumbers[];
};

export type ConsumerNumbers = {
  /** Not yet given out, and given out but not yet acknowledged. */
  pending: number;
  ackPending: number;
  maxAckPending: number;
  /** Given out more than once and not acknowledged. */
  redelivered: number;
  deliveredUpTo: number;
  /** Requests of ours that wait for messages. */
  waiting: number;
};

/** Since when a stream has not moved although it should; null while all is well. */
export type Standstill = { created: string; delivered: string; sinceMs: number } | null;

/** Longer than two readings of the numbers can differ, and than a leader takes to be found. */
const STANDS_AFTER_MS = 20_000;
/** Numbers that contradict each other need no more than a second reading. */
const CONTRADICTS_AFTER_MS = 4_000;

export function watchStandstill(
  retention: StreamSpec["retention"],
  before: Standstill,
  numbers: StreamNumbers,
  nowMs: number,
): { standstill: Standstill; isBroken: boolean } {
  const isContradiction = hasLostItsEnd(numbers);
  if (!isContradiction && !shouldMove(retention, numbers)) return { standstill: null, isBroken: false };
  const delivered = numbers.consumers.map(({ deliveredUpTo }) => deliveredUpTo).join(" ");
  const isSame = before?.created === numbers.created && before.delivered === delivered;
  const sinceMs = isSame ? before.sinceMs : nowMs;
  const standstill = { created: numbers.created, delivered, sinceMs };
  const patienceMs = isContradiction ? CONTRADICTS_AFTER_MS : STANDS_AFTER_MS;
  return { standstill, isBroken: nowMs - sinceMs >= patienceMs };
}

/** A consumer was given more than there is: what comes now takes the places of what was lost, and is never given out. */
const hasLostItsEnd = ({ lastSequence, consumers }: StreamNumbers): boolean =>
  consumers.some(({ deliveredUpTo }) => deliveredUpTo > lastSequence);

/** Something is there for somebody who asks, or is with nobody. */
const shouldMove = (retention: StreamSpec["retention"], numbers: StreamNumbers): boolean =>
  hiddenMessages(retention, numbers) > 0 ||
  numbers.consumers.some(
    ({ pending, waiting, ackPending, maxAckPending }) =>
      pending > 0 && waiting > 0 && ackPending < maxAckPending,
  );

/** Messages the stream holds and no consumer will ever be given. A stream of the kind "limits" has one consumer, of everything. */
function hiddenMessages(
  retention: StreamSpec["retention"],
  { firstSequence, lastSequence, messages, consumers }: StreamNumbers,
): number {
  if (retention === "workqueue")
    return consumers.reduce((left, { pending, ackPending }) => left - pending - ackPending, messages);
  return Math.max(
    0,
    ...consumers.map(
      ({ deliveredUpTo, pending }) => lastSequence - Math.max(deliveredUpTo, firstSequence - 1) - pending,
    ),
  );
}
