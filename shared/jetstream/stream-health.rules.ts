/** Pure: whether a stream still delivers its messages. After a fault of its disk a server may count messages that it never delivers. */
import type { StreamSpec } from "./streams.ts";

export type StreamNumbers = {
  /** When the stream was made: another one of the same name has another time. */
  created: string;
  firstSequence: number;
  lastSequence: number;
  messages: number;
  consumers: readonly ConsumerNumbers[];
};

export type ConsumerNumbers = {
  /** Not yet delivered, and delivered but not yet acknowledged. */
  pending: number;
  ackPending: number;
  maxAckPending: number;
  /** Delivered more than once and not acknowledged. */
  redelivered: number;
  deliveredUpTo: number;
  /** Requests of ours that wait for messages. */
  waiting: number;
};

/** The time since which a stream should have moved and has not; null while it is healthy. */
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

/** The consumer has passed the end of the stream: new messages reuse lost sequence numbers and are never delivered. */
const hasLostItsEnd = ({ lastSequence, consumers }: StreamNumbers): boolean =>
  consumers.some(({ deliveredUpTo }) => deliveredUpTo > lastSequence);

/** Messages wait although a pull request is open, or no consumer has them. */
const shouldMove = (retention: StreamSpec["retention"], numbers: StreamNumbers): boolean =>
  hiddenMessages(retention, numbers) > 0 ||
  numbers.consumers.some(
    ({ pending, waiting, ackPending, maxAckPending }) =>
      pending > 0 && waiting > 0 && ackPending < maxAckPending,
  );

/** Messages that no consumer will ever receive. A stream with the retention "limits" has one consumer, of everything. */
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
