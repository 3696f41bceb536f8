/** Counting by spans of time: a total is the sum of whole days, whole hours and the edges. */
import { DAY_MS, HOUR_MS } from "../../../shared/contract/durations.ts";

export type TallyKind = "day" | "hour";

/** Counts of the finished deliveries of a partner in a span of time. */
export type Tally = {
  /** <partnerId>/<kind>/<time> */
  _id: string;
  partnerId: string;
  kind: TallyKind;
  /** The beginning of the span, by when the events occurred. */
  at: Date;
  /** By tallyKey: status and event type. */
  counts: Record<string, number>;
};

/** `before` is exclusive; null is open. */
export type Span = { from: Date | null; before: Date | null };

export type RangeParts = Record<"days" | "hours" | "edges", Span[]>;

/** A field name cannot hold a dot. */
export const tallyKey = (status: string, eventType: string): string =>
  `${status}:${eventType.replaceAll(".", "/")}`;

/** Hours since 1970. */
export const hourOf = (time: Date): number => Math.floor(time.getTime() / HOUR_MS);

const floor = (time: Date, unitMs: number): Date => new Date(Math.floor(time.getTime() / unitMs) * unitMs);
const ceil = (time: Date, unitMs: number): Date => new Date(Math.ceil(time.getTime() / unitMs) * unitMs);

export const talliesOf = (time: Date): { kind: TallyKind; at: Date }[] => [
  { kind: "day", at: floor(time, DAY_MS) },
  { kind: "hour", at: floor(time, HOUR_MS) },
];

/** Both ends of the range belong to it. */
export function splitRange(from: Date | null, to: Date | null): RangeParts {
  const byDays = split({ from, before: to && new Date(to.getTime() + 1) }, DAY_MS);
  const byHours = byDays.edges.map((edge) => split(edge, HOUR_MS));
  return {
    days: byDays.whole,
    hours: byHours.flatMap(({ whole }) => whole),
    edges: byHours.flatMap(({ edges }) => edges),
  };
}

function split({ from, before }: Span, unitMs: number): { whole: Span[]; edges: Span[] } {
  const first = from && ceil(from, unitMs);
  const end = before && floor(before, unitMs);
  if (first && end && first >= end) return { whole: [], edges: [{ from, before }] };
  const edges: Span[] = [];
  if (from && first && from < first) edges.push({ from, before: first });
  if (before && end && end < before) edges.push({ from: end, before });
  return { whole: [{ from: first, before: end }], edges };
}

export const tallyKeys = (statuses: readonly string[], eventTypes: readonly string[]): string[] =>
  statuses.flatMap((status) => eventTypes.map((type) => tallyKey(status, type)));

export const sumCounts = (counts: Readonly<Record<string, number>>, keys: readonly string[]): number =>
  keys.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
