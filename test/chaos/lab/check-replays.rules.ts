/** Replays: of one delivery, and of the events of a window. */
import { isSuccess } from "./check-deliveries.rules.ts";
import type { Delivery, Job, RecordedEvent, Snapshot } from "./checker.rules.ts";
import { grouped } from "./grouped.rules.ts";
import type { Ledger, Replay, Window } from "./ledger.rules.ts";

type Found = Pick<Snapshot, "events" | "deliveries" | "received" | "jobs" | "disabled">;

export const replayViolations = ({ replays, windows }: Ledger, found: Found): string[] => [
  ...checkReplays(replays, found),
  ...checkWindows(windows, found),
];

/** Each event is replayed once at most, apart from windows. */
function checkReplays(replays: readonly Replay[], { deliveries, received, jobs }: Found): string[] {
  const windows = new Set(jobs.map(({ series }) => series));
  const single = deliveries.filter(({ series }) => series !== null && !windows.has(series));
  const made = Map.groupBy(single, ({ eventId }) => eventId);
  const sent = new Set(received.filter(isSuccess).map(({ deliveryId }) => deliveryId));
  const count = (eventId: string) => made.get(eventId)?.length ?? 0;
  const answered = replays.filter(({ verdict }) => verdict === "acknowledged");
  const [lost, kept] = [
    answered.filter(({ eventId }) => count(eventId) === 0),
    answered.filter(({ eventId }) => count(eventId) > 0),
  ];
  const unsent = kept.filter(({ deliveryId }) => !sent.has(deliveryId ?? ""));
  const refused = replays.filter(({ verdict, eventId }) => verdict === "refused" && count(eventId) > 0);
  const doubled = replays.filter(({ eventId }) => count(eventId) > 1);
  return [
    ...grouped("a replay answered 200 and lost", lost, eventOf),
    ...grouped("a replay answered 200 and not sent", unsent, eventOf),
    ...grouped("a replay refused and made all the same", refused, eventOf),
    ...grouped("replayed twice", doubled, eventOf),
  ];
}

/** The write of an event that was recorded so long before the request is visible to it. */
const VISIBLE_MS = 3_000;

function checkWindows(windows: readonly Window[], { events, deliveries, jobs, disabled }: Found): string[] {
  const jobOf = new Map(jobs.map((job) => [job.series, job]));
  const made = Map.groupBy(deliveries, ({ series }) => series);
  const asked = windows.filter(({ verdict, series }) => verdict === "acknowledged" && series !== null);
  const told = asked.flatMap((window) => {
    const job = jobOf.get(window.series ?? "");
    if (!job) return [`${window.series} is lost`];
    const problem = problemOf(window, job, made.get(job.series) ?? [], events);
    return problem ? [`${job.series} ${problem}`] : [];
  });
  const isSame = (window: Window, job: Job) =>
    job.partnerId === window.partnerId && job.fromMs === window.fromMs && job.toMs === window.toMs;
  const refused = windows.filter(
    (window) => window.verdict === "refused" && jobs.some((job) => isSame(window, job)),
  );
  return [
    ...grouped("a window replay answered 200 and not done", told),
    ...grouped("a window replay refused and made all the same", refused, ({ partnerId }) => partnerId),
  ];

  function problemOf(window: Window, job: Job, own: Delivery[], all: readonly RecordedEvent[]) {
    const replayed = new Set(own.map(({ eventId }) => eventId));
    const isOfWindow = ({ partnerId, occurredAtMs, recordedAtMs, isRouted }: RecordedEvent) =>
      partnerId === job.partnerId &&
      occurredAtMs >= job.fromMs &&
      occurredAtMs <= job.toMs &&
      recordedAtMs <= job.askedAtMs &&
      isRouted;
    // An event of a disabled endpoint may have got its route later.
    const isSettled = ({ feedAtMs, partnerId, occurredAtMs }: RecordedEvent) =>
      feedAtMs !== null &&
      feedAtMs < window.askedAtMs - VISIBLE_MS &&
      !disabled.some((time) => time.partnerId === partnerId && time.toMs >= occurredAtMs);
    const inWindow = all.filter(isOfWindow);
    const missing = inWindow.filter((event) => isSettled(event) && !replayed.has(event.eventId));
    const ids = new Set(inWindow.map(({ eventId }) => eventId));
    if (!job.isFinished) return "is not finished";
    if (missing.length > 0) return `left out ${missing.length} of ${inWindow.length} events`;
    if (own.length > replayed.size) return `made ${own.length - replayed.size} deliveries twice`;
    if (own.some(({ eventId }) => !ids.has(eventId))) return "has an event of another time";
    if (own.length !== job.created || own.length < window.expected)
      return `made ${own.length} deliveries, counted ${job.created}, promised ${window.expected}`;
    return null;
  }
}

const eventOf = ({ eventId }: { eventId: string }): string => eventId;
