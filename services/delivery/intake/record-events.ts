/** Handles messages of events: records and plans them, acknowledges, then confirms them to their source. */
import type { Clock } from "../../../shared/clock.ts";
import { readMessage } from "../../../shared/events/event-message.rules.ts";
import type { BatchHandler, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { type NewEvent, parseEvent } from "../records/event.rules.ts";

export type RecordEventsDeps = {
  /** Records them with their deliveries and answers how many were new. */
  plan(events: readonly NewEvent[]): Promise<{ recorded: number }>;
  /** Tells the source to remove them from its outbox; if that fails, its reconciler asks again. */
  confirm(source: string, events: readonly NewEvent[]): void;
  giveUp(message: StreamMessage, reason: string): Promise<void>;
  count(result: "recorded" | "duplicate" | "malformed", by: number): void;
  /** Adds the recording to the trace of an event. */
  trace?(event: NewEvent, startMs: number): void;
  clock: Clock;
};

/** Record, acknowledge, confirm: in this order, so that a crash only makes a step repeat. */
export const recordEvents =
  (deps: RecordEventsDeps): BatchHandler =>
  async (batch) => {
    const startMs = deps.clock.now();
    const events = (await Promise.all(batch.map((message) => readOrGiveUp(message, deps)))).flat();
    const { recorded } = await deps.plan(events);
    for (const message of batch) message.ack();
    if (deps.trace) for (const event of events) deps.trace(event, startMs);
    for (const [source, sameSource] of Map.groupBy(events, (event) => event.source))
      deps.confirm(source, sameSource);
    deps.count("recorded", recorded);
    deps.count("duplicate", events.length - recorded);
  };

/** A message with a malformed line goes to the dead letters; its other lines are still recorded. */
async function readOrGiveUp(
  message: StreamMessage,
  { giveUp, count, clock }: RecordEventsDeps,
): Promise<NewEvent[]> {
  const recordedAt = new Date(clock.now());
  const events: NewEvent[] = [];
  const malformed: string[] = [];
  for (const line of readMessage(message)) {
    const parsed = parseEvent(line, recordedAt);
    if ("event" in parsed) events.push(parsed.event);
    else malformed.push(parsed.malformed);
  }
  const [reason] = malformed;
  if (reason !== undefined) await giveUp(message, reason);
  count("malformed", malformed.length);
  return events;
}
