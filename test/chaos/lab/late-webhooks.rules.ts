/** Whether webhooks are on time while the clocks of processes are wrong. */
import type { Received, RecordedEvent } from "./checker.rules.ts";
import type { Span } from "./cut-off.rules.ts";
import { grouped } from "./grouped.rules.ts";

/** Half of the skew; processes that restart with another clock need the rest. */
const LATE_MS = 15_000;

/** Judged when clocks were the round's only fault. Other faults delay webhooks for a good reason. */
export function lateWebhooks(
  events: readonly Pick<RecordedEvent, "eventId" | "feedAtMs">[],
  received: readonly Pick<Received, "eventId" | "receivedAtMs">[],
  spans: readonly Span[],
): string[] {
  if (spans.some(({ fault }) => fault.kind !== "process-clock")) return [];
  const fromMs = Math.min(...spans.map((span) => span.fromMs));
  const arrivals = Map.groupBy(received, ({ eventId }) => eventId);
  const late = events.flatMap(({ eventId, feedAtMs }) => {
    const [first] = arrivals.get(eventId) ?? [];
    if (!first || feedAtMs === null || feedAtMs < fromMs) return [];
    const lateMs = first.receivedAtMs - feedAtMs;
    return lateMs > LATE_MS ? [`${eventId} by ${Math.round(lateMs / 1_000)} s`] : [];
  });
  return grouped("received late beside a wrong clock", late);
}
