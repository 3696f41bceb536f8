/** Parts that every process has, by broker; tests may pass their own clock and logger. */
import type { ServiceBroker } from "moleculer";
import { type Clock, systemClock } from "../clock.ts";
import type { Config } from "../config/config.ts";
import { createHealth } from "../health.ts";
import { createJetStream } from "../jetstream/jetstream.ts";
import { createLanes } from "../lanes.ts";
import { createLifecycle } from "../process/lifecycle.ts";
import { createLogger, type Logger } from "../telemetry/logger.ts";
import { createMetrics } from "../telemetry/metrics.ts";
import { createTracer } from "../telemetry/tracer.ts";

export type Runtime = ReturnType<typeof createRuntime>;
export type RuntimeOverrides = { logger?: Logger; clock?: Clock; defaultMetrics?: boolean };

export function createRuntime(config: Config, overrides: RuntimeOverrides = {}) {
  const logger = overrides.logger ?? createLogger(config);
  const clock = overrides.clock ?? systemClock;
  const metrics = createMetrics(config.process, { defaults: overrides.defaultMetrics ?? false });
  const lanes = createLanes({
    onAbandoned({ name: lane, withinMs, times }) {
      metrics.increment("pbo_lane_abandoned_total", { lane });
      if (times === 1) logger.error({ lane, withinMs }, "lane.abandoned");
    },
  });
  return {
    config,
    logger,
    clock,
    metrics,
    lanes,
    health: createHealth(),
    lifecycle: createLifecycle(logger),
    jetstream: createJetStream({ config, logger, metrics, lanes }),
    tracer: createTracer({ config, logger }),
  };
}

const runtimes = new WeakMap<ServiceBroker, Runtime>();

export const attachRuntime = (broker: ServiceBroker, runtime: Runtime): void =>
  void runtimes.set(broker, runtime);

export function runtimeOf(broker: ServiceBroker): Runtime {
  const runtime = runtimes.get(broker);
  if (!runtime) throw new Error("This broker was not made with brokerOptions().");
  return runtime;
}
