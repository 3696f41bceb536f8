/** Handles messages of events: records and plans them, acknowledges, then confirms them to their source. */
import type { Clock } from "../../../shared/clock.ts";
import type { BatchHandler, StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { type NewEvent, parseEvent } from "../records/event.rules.ts";

export type RecordEventsDeps = {
  /** Records them with their deliveries and answers how many were new. */
  schedule(events: readonly NewEvent[]): Promise<{ recorded: number }>;
  /** Tells the source to remove them from its outbox; if that fails, its reconciler asks again. */
  confirm(events: readonly NewEvent[]): void;
  deadLetter(message: StreamMessage, reason: string): Promise<void>;
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
    const read = await Promise.all(batch.map((message) => readOrDeadLetter(message, deps)));
    const events = read.filter((event) => event !== null);
    const { recorded } = await deps.schedule(events);
    for (const message of batch) message.ack();
    if (deps.trace) for (const event of events) deps.trace(event, startMs);
    deps.confirm(events);
    deps.count("recorded", recorded);
    deps.count("duplicate", events.length - recorded);
  };

async function readOrDeadLetter(
  message: StreamMessage,
  { deadLetter, count, clock }: RecordEventsDeps,
): Promise<NewEvent | null> {
  const parsed = parseEvent(message.text(), message.header("traceparent"), new Date(clock.now()));
  if ("event" in parsed) return parsed.event;
  await deadLetter(message, parsed.malformed);
  count("malformed", 1);
  return null;
}
