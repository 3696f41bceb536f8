/** A process is up within a deadline or exits; at a stop it ends intake, finishes its work, then closes connections. */
import type { ServiceBroker } from "moleculer";
import type { Config } from "../config/config.ts";
import type { Health } from "../health.ts";
import type { Logger } from "../telemetry/logger.ts";

type Step = { name: string; run: () => Promise<void> };

type Lifecycle = ReturnType<typeof createLifecycle>;

export function createLifecycle(logger: Logger) {
  const drains: Step[] = [];
  const closes: Step[] = [];
  const run = async ({ name, run: step }: Step) => {
    try {
      await step();
    } catch (err) {
      logger.warn({ err, step: name }, "stop.step_failed");
    }
  };
  return {
    /** Runs first at a stop: close listeners, stop consumers, finish work in progress. */
    onDrain: (name: string, step: Step["run"]): void => void drains.push({ name, run: step }),
    /** Runs last, in reverse order of registration: connections. */
    onClose: (name: string, step: Step["run"]): void => void closes.unshift({ name, run: step }),
    drain: async () => {
      await Promise.all(drains.splice(0).map(run));
    },
    close: async () => {
      for (const step of closes.splice(0)) await run(step);
    },
  };
}

type ProcessDeps = { config: Config; logger: Logger; health: Health };
type StopDeps = ProcessDeps & { lifecycle: Lifecycle };

/** Exits with 1 and the reason unless the returned function is called before the start deadline. */
export function watchStart({ config, logger, health }: ProcessDeps): () => void {
  const timer = setTimeout(async () => {
    const { checks } = await health.readiness();
    const missing = Object.entries(checks)
      .filter(([name, state]) => state !== "ok" && name !== "starting")
      .map(([name]) => name);
    logger.fatal({ missing, deadlineMs: config.startDeadlineMs }, "process.start_deadline_passed");
    process.stderr.write(
      `${config.process}: not up after ${config.startDeadlineMs} ms; cannot reach: ${missing.join(", ") || "NATS"}.\n`,
    );
    process.exit(1);
  }, config.startDeadlineMs);
  return () => clearTimeout(timer);
}

export function stopOnSignals(broker: ServiceBroker, { config, logger, health, lifecycle }: StopDeps): void {
  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, "process.stopping");
    health.startDraining();
    const deadline = setTimeout(() => {
      logger.error("process.stop_deadline_passed");
      process.exit(1);
    }, config.stopDelayMs + config.stopDeadlineMs);
    deadline.unref();
    await new Promise((resolve) => setTimeout(resolve, config.stopDelayMs));
    await lifecycle.drain();
    await broker.stop();
    logger.info("process.stopped");
    logger.flush();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop(signal));
}
