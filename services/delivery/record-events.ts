import type { Clock } from "../../shared/clock.ts";
import type { BatchHandler, StreamMessage } from "../../shared/jetstream.ts";
import { SOURCE_HEADER, TRACE_HEADER } from "../../shared/outbox-sender.ts";
import { type NewEvent, parseEvent } from "./event.rules.ts";

export type RecordEventsPorts = {
  /** Records them with their deliveries and answers how many were new. */
  plan(events: readonly NewEvent[]): Promise<{ recorded: number }>;
  /** Tells the source that its outbox may let go. Its failure is made good by the source's reconciler. */
  confirm(source: string, eventIds: readonly string[]): void;
  giveUp(message: StreamMessage, reason: string): Promise<void>;
  count(result: "recorded" | "duplicate" | "malformed", by: number): void;
  /** Tells the trace of an event that it was recorded. */
  trace?(event: NewEvent, startMs: number): void;
  clock: Clock;
};

type Readable = { message: StreamMessage; event: NewEvent };

/** Record, acknowledge, confirm: in this order, so that a crash anywhere only means that a step is repeated. */
export const recordEvents =
  (ports: RecordEventsPorts): BatchHandler =>
  async (batch) => {
    const startMs = ports.clock.now();
    const readable = await setAsideMalformed(batch, ports);
    const events = readable.map(({ event }) => event);
    const { recorded } = await ports.plan(events);
    for (const { message } of readable) message.ack();
    if (ports.trace) for (const event of events) ports.trace(event, startMs);
    for (const [source, sameSource] of Map.groupBy(events, (event) => event.source))
      ports.confirm(
        source,
        sameSource.map((event) => event._id),
      );
    ports.count("recorded", recorded);
    ports.count("duplicate", events.length - recorded);
  };

async function setAsideMalformed(
  batch: readonly StreamMessage[],
  { giveUp, count, clock }: RecordEventsPorts,
): Promise<Readable[]> {
  const readable: Readable[] = [];
  const recordedAt = new Date(clock.now());
  for (const message of batch) {
    const parsed = parseEvent(
      {
        text: message.text(),
        source: message.header(SOURCE_HEADER),
        traceparent: message.header(TRACE_HEADER),
      },
      recordedAt,
    );
    if ("event" in parsed) readable.push({ message, event: parsed.event });
    else {
      await giveUp(message, parsed.malformed);
      message.term();
      count("malformed", 1);
    }
  }
  return readable;
}
