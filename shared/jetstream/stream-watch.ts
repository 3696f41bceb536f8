/**
 * Reports how far behind consumers are, and recreates a stream that no longer delivers its messages. Nothing is lost by
 * that: events are in their outbox, and files in storage until they are handled.
 */
import type { Clock } from "../clock.ts";
import type { Lanes } from "../lanes.ts";
import { createPollLoop, type PollLoop } from "../poll-loop.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { JetStream } from "./jetstream.ts";
import { type ConsumerNumbers, type Standstill, watchStandstill } from "./stream-health.rules.ts";
import { type ConsumerSpec, STREAMS, type StreamName } from "./streams.ts";

type Deps = {
  jetstream: Pick<JetStream, "numbers" | "rebuild">;
  metrics: Pick<Metrics, "increment" | "set">;
  clock: Clock;
  logger: Logger;
  lanes: Pick<Lanes, "lane">;
  everyMs?: number;
};

const EVERY_MS = 5_000;

/** For the streams whose consumers this process owns. */
export function watchStreams(
  consumers: readonly ConsumerSpec[],
  { jetstream, metrics, clock, logger, lanes, everyMs = EVERY_MS }: Deps,
): PollLoop {
  const streams = Map.groupBy(consumers, ({ stream }) => stream);
  const standstills = new Map<StreamName, Standstill>();

  async function check(stream: StreamName, owned: readonly ConsumerSpec[]): Promise<void> {
    const numbers = await jetstream.numbers(stream, owned);
    for (const [index, spec] of owned.entries()) report(spec, numbers?.consumers[index]);
    if (!numbers) return;
    const { retention } = STREAMS[stream];
    const before = standstills.get(stream) ?? null;
    const { standstill, isBroken } = watchStandstill(retention, before, numbers, clock.now());
    standstills.set(stream, standstill);
    if (!isBroken) return;
    logger.error({ stream, numbers }, "stream.blocked");
    standstills.delete(stream);
    await jetstream.rebuild(stream);
    metrics.increment("pbo_stream_rebuilt_total", { stream });
    logger.warn({ stream }, "stream.rebuilt");
  }

  function report({ name: consumer, maxAckPending }: ConsumerSpec, numbers?: ConsumerNumbers): void {
    metrics.set("pbo_consumer_ack_pending_limit", maxAckPending, { consumer });
    if (!numbers) return;
    metrics.set("pbo_consumer_pending", numbers.pending, { consumer });
    metrics.set("pbo_consumer_ack_pending", numbers.ackPending, { consumer });
    metrics.set("pbo_consumer_redelivered", numbers.redelivered, { consumer });
    metrics.set("pbo_consumer_seen_timestamp_seconds", clock.now() / 1_000, { consumer });
  }

  return createPollLoop({
    everyMs,
    lane: lanes.lane("stream watch"),
    round: () => Promise.all([...streams].map(([stream, owned]) => check(stream, owned))),
    onError: (err) => logger.warn({ err }, "stream_watch.failed"),
  });
}
