/** Searches all outboxes for events that were not sent, or not confirmed in time, and publishes them. */
import type { Clock } from "../clock.ts";
import type { JetStream } from "../jetstream/jetstream.ts";
import { CONSUMERS } from "../jetstream/streams.ts";
import { lazily } from "../lazily.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import {
  entryState,
  type Intervals,
  isLeftBehind,
  lastSeen,
  moveMark,
  NO_MARK,
  overdueMessageId,
} from "./outbox.rules.ts";
import { isTime, sortEntries } from "./outbox-entry.rules.ts";
import type { OutboxSender } from "./outbox-sender.ts";
import type { OutboxStore, PendingEvent, StoredEvent } from "./outbox-store.ts";
import type { SetAside } from "./set-aside.ts";

type Deps = {
  store: Pick<OutboxStore, "pageAfter" | "read">;
  /** Takes entries out that cannot be published. */
  setAside: SetAside;
  sender: OutboxSender;
  jetstream: Pick<JetStream, "position" | "connected">;
  clock: Clock;
  intervals: Intervals;
  metrics: Metrics;
  /** One process at a time: what lies in the outboxes would otherwise be counted by each. */
  isReporter(): boolean;
  stopped(): boolean;
};

type Publication = { eventId: string; messageId: string };

const PAGE = 250;
/** Younger events are still in transit; counting them would raise alerts under load. */
const CONFIRMED_WITHIN_MS = 60_000;

const newPass = () => ({ after: "", pending: 0, unconfirmed: 0, oldest: Number.POSITIVE_INFINITY });

export function createSweep(deps: Deps) {
  const { store, sender, setAside, jetstream, clock, intervals, metrics, stopped } = deps;
  let pass = newPass();
  let mark = NO_MARK;

  return async function sweep(): Promise<number> {
    const { stream, name } = CONSUMERS.deliveryRecord;
    const reach = lazily(async () => {
      const askedAt = clock.now();
      const position = await jetstream.position(stream, name);
      if (position) mark = moveMark(mark, askedAt, position, intervals);
      return position;
    });
    let published = 0;
    while (!stopped()) {
      const page = await store.pageAfter(pass.after, PAGE);
      const entries = page.flat().filter(isPending);
      tally(entries);
      const due = jetstream.connected() ? await duePublications(entries, reach) : [];
      const results = await Promise.all(await publications(due, page.flatMap(suspectIn)));
      const done = results.filter(Boolean).length;
      published += done;
      if (done === 0 && results.length > 0) {
        // The broker is away: start from the oldest when it is back.
        pass = newPass();
        return published;
      }
      if (page.length < PAGE) {
        finishPass();
        break;
      }
      pass.after = lastSeen(
        page.map((outbox) => outbox.filter(hasId)),
        pass.after,
      );
      // The next sweep goes on from there: while the delivery service is away every page is read for nothing.
      if (done === 0) break;
    }
    metrics.set("pbo_outbox_last_sweep_timestamp_seconds", clock.now() / 1_000);
    return published;
  };

  async function publications(
    due: readonly Publication[],
    suspects: readonly string[],
  ): Promise<Promise<boolean>[]> {
    if (due.length + suspects.length === 0) return [];
    const messageIds = new Map(due.map(({ eventId, messageId }) => [eventId, messageId]));
    const holders = await store.read([...messageIds.keys(), ...suspects]);
    const sorted = holders.map((holder) => ({ holder, ...sortEntries(holder.outbox) }));
    await Promise.all(sorted.map(({ holder, unreadable }) => setAside(holder, unreadable)));
    const entries = sorted.flatMap(({ readable }) =>
      readable.filter(({ eventId }) => messageIds.has(eventId)),
    );
    // Each in its own message and under its own id: the server drops duplicates from other processes' sweeps.
    return entries.map((entry) => sender.send([entry], messageIds.get(entry.eventId) ?? entry.eventId));
  }

  async function duePublications(
    entries: readonly PendingEvent[],
    reach: () => ReturnType<JetStream["position"]>,
  ): Promise<Publication[]> {
    const due: Publication[] = [];
    for (const entry of entries) {
      const { eventId } = entry;
      const occurredAt = Date.parse(entry.occurredAt);
      const sent = sender.sent(eventId);
      const now = clock.now();
      const what = entryState(occurredAt, sent, now, intervals);
      if (what === "wait") continue;
      const position = await reach();
      if (what === "foreign") {
        const handledBefore = position && mark.handledBefore;
        if (isLeftBehind(occurredAt, handledBefore, now, intervals))
          due.push({ eventId, messageId: eventId });
      } else if (typeof sent?.sequence === "number") {
        const { sequence } = sent;
        const messageId = position && overdueMessageId(eventId, { ...sent, sequence }, what, position);
        if (!messageId) continue;
        due.push({ eventId, messageId });
        metrics.increment("pbo_outbox_republished_total");
      }
    }
    return due;
  }

  function tally(entries: readonly PendingEvent[]) {
    const now = clock.now();
    for (const entry of entries) {
      const occurredAt = Date.parse(entry.occurredAt);
      const isPublished = typeof sender.sent(entry.eventId)?.sequence === "number";
      if (!isPublished) pass.pending += 1;
      else if (now - occurredAt > CONFIRMED_WITHIN_MS) pass.unconfirmed += 1;
      pass.oldest = Math.min(pass.oldest, occurredAt);
    }
  }

  function finishPass() {
    const ageMs = Number.isFinite(pass.oldest) ? Math.max(0, clock.now() - pass.oldest) : 0;
    metrics.set("pbo_outbox_pending", deps.isReporter() ? pass.pending : 0);
    // Only of what this process published, so those of all processes add up.
    metrics.set("pbo_outbox_unconfirmed", pass.unconfirmed);
    metrics.set("pbo_outbox_oldest_age_seconds", deps.isReporter() ? ageMs / 1_000 : 0);
    pass = newPass();
  }
}

const hasId = (event: StoredEvent): event is { eventId: string } => typeof event.eventId === "string";

const isPending = (event: StoredEvent): event is PendingEvent =>
  typeof event.eventId === "string" && isTime(event.occurredAt);

/** An event id by which an outbox with an entry that cannot be judged is found. */
const suspectIn = (outbox: readonly StoredEvent[]): string[] =>
  outbox.every(isPending)
    ? []
    : outbox
        .filter(hasId)
        .map(({ eventId }) => eventId)
        .slice(0, 1);
