/** Counts of deliveries by hour or day: the allowed ranges, and the sums of counts from several collections. */
import type { DeliveryCounts } from "../../../shared/contract/answers/delivery.ts";
import { DAY_MS, HISTORY_DAYS, HOUR_MS } from "../../../shared/contract/durations.ts";
import {
  type DeliveryStatus,
  STATISTICS_INTERVALS,
  type StatisticsInterval,
} from "../../../shared/contract/vocabularies.ts";
import { type Query, QueryReader } from "../../../shared/input/query-reader.ts";
import { readRange } from "./history.rules.ts";

const INTERVALS = {
  hour: { ms: HOUR_MS, usualMs: DAY_MS, mostMs: 7 * DAY_MS, most: "seven days by hour" },
  day: {
    ms: DAY_MS,
    usualMs: 30 * DAY_MS,
    mostMs: HISTORY_DAYS * DAY_MS,
    most: `${HISTORY_DAYS} days by day`,
  },
} as const;

/** Whole intervals; `before` is exclusive. */
export type StatisticsRange = { interval: StatisticsInterval; from: Date; before: Date };

export function parseStatisticsQuery(query: Query, nowMs: number): StatisticsRange {
  const reader = new QueryReader(query);
  const interval = reader.oneOf("interval", STATISTICS_INTERVALS) ?? "hour";
  const { ms, usualMs, mostMs, most } = INTERVALS[interval];
  const range = reader.finish(readRange(reader));
  const to = range.to?.getTime() ?? Math.max(nowMs, (range.from?.getTime() ?? 0) + ms);
  const from = range.from?.getTime() ?? to - usualMs;
  if (to - from > mostMs) reader.refuse("from", `must be at most ${most} before to`, "Webhook.RangeTooWide");
  const floor = (time: number) => Math.floor(time / ms) * ms;
  return reader.finish({ interval, from: new Date(floor(from)), before: new Date(floor(to) + ms) });
}

/** Number of deliveries with a status in the interval that begins then. */
export type Counted = { at: Date; status: DeliveryStatus; count: number };

export type Bucket = DeliveryCounts & { at: string };

const FIELDS = { Pending: "pending", Delivered: "delivered", Exhausted: "exhausted" } as const;

/** Every interval of the range, oldest first, also those without a delivery. */
export function sumByInterval(
  { interval, from, before }: StatisticsRange,
  counted: readonly Counted[],
): Bucket[] {
  const { ms } = INTERVALS[interval];
  const length = Math.round((before.getTime() - from.getTime()) / ms);
  const buckets = Array.from({ length }, (_, index) => ({
    at: new Date(from.getTime() + index * ms).toISOString(),
    pending: 0,
    delivered: 0,
    exhausted: 0,
  }));
  for (const { at, status, count } of counted) {
    const bucket = buckets[Math.floor((at.getTime() - from.getTime()) / ms)];
    if (bucket) bucket[FIELDS[status]] += count;
  }
  return buckets;
}
