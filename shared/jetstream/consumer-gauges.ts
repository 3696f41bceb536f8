/** Metrics of how far behind the consumers of a process are, as the server reports it. */
import type { Clock } from "../clock.ts";
import { freeLane } from "../lanes.ts";
import { createPollLoop } from "../poll-loop.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { JetStream } from "./jetstream.ts";
import type { ConsumerSpec } from "./streams.ts";

type Deps = { jetstream: Pick<JetStream, "backlog">; metrics: Metrics; clock: Clock; logger: Logger };

const EVERY_MS = 10_000;

/** Starts immediately; returns the function that stops it. */
export function watchConsumers(
  consumers: readonly ConsumerSpec[],
  { jetstream, metrics, clock, logger }: Deps,
): () => Promise<void> {
  const look = async (spec: ConsumerSpec) => {
    const { name: consumer } = spec;
    metrics.set("pbo_consumer_ack_pending_limit", spec.maxAckPending, { consumer });
    const backlog = await jetstream.backlog(spec);
    if (!backlog) return;
    metrics.set("pbo_consumer_pending", backlog.pending, { consumer });
    metrics.set("pbo_consumer_ack_pending", backlog.ackPending, { consumer });
    metrics.set("pbo_consumer_redelivered", backlog.redelivered, { consumer });
    metrics.set("pbo_consumer_seen_timestamp_seconds", clock.now() / 1_000, { consumer });
  };
  const loop = createPollLoop({
    lane: freeLane,
    everyMs: EVERY_MS,
    round: () => Promise.all(consumers.map(look)),
    onError: (err) => logger.warn({ err }, "consumer_gauges.failed"),
  });
  loop.start();
  // Not awaited: while the broker is away, an answer takes seconds.
  return async () => void loop.stop();
}
