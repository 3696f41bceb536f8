/** Builds a Moleculer service from its parts; connections, readiness and stop order are the same for all. */
import { randomUUID } from "node:crypto";
import type { ActionSchema, ServiceBroker, ServiceSchema } from "moleculer";
import { actionProblems } from "../actions.ts";
import type { ServiceName } from "../config/config.ts";
import { watchConsumers } from "../jetstream/consumer-gauges.ts";
import type { EnsureMode } from "../jetstream/jetstream-ensure.ts";
import { watchStreams } from "../jetstream/stream-watch.ts";
import { beatSubject, type ConsumerSpec, type StreamSpec } from "../jetstream/streams.ts";
import { createPulse, type Pulse } from "../process/pulse.ts";
import { retry } from "../retry.ts";
import { type Runtime, runtimeOf } from "./runtime.ts";
import { type Actions, internal, published } from "./typed-actions.ts";

export type ServiceParts<S extends ServiceName> = {
  actions: Actions<S>;
  /** Broadcasts it listens to; hints only, because a broadcast can be lost. */
  events?: NonNullable<ServiceSchema["events"]>;
  /** Creates the indexes of the collections this service owns. */
  ensureIndexes(): Promise<void>;
  streams?: readonly StreamSpec[];
  consumers?: readonly ConsumerSpec[];
  /** Starts consumers and sweeps, once MongoDB and JetStream are connected. */
  start?(): Promise<void>;
  /** Stops intake and finishes work in progress. */
  stop?(): Promise<void>;
};

export const defineService =
  <S extends ServiceName>(name: S, build: (runtime: Runtime, broker: ServiceBroker) => ServiceParts<S>) =>
  (broker: ServiceBroker): ServiceSchema => {
    const runtime = runtimeOf(broker);
    const parts = build(runtime, broker);
    const { mongo, jetstream, health, lifecycle, lanes } = runtime;
    const { streams = [], consumers = [] } = parts;
    const actions = { ...commonActions(runtime), ...parts.actions };
    const problems = actionProblems(name, Object.keys(actions));
    if (problems.length > 0)
      throw new Error(`The action table and the service differ: ${problems.join("; ")}`);

    return {
      name,
      settings: { $shutdownTimeout: runtime.config.stopDeadlineMs },
      actions,
      ...(parts.events ? { events: parts.events } : {}),
      async started() {
        const beats = beatsOf(runtime, streams);
        health.require("mongodb", async () => {
          beats.mongodb.check();
          await mongo.ping();
        });
        if (beats.jetstream) requireJetStream(runtime, beats.jetstream);
        health.require("lanes", () => {
          if (lanes.late().length > 0) throw new Error("work does not move");
        });
        await Promise.all([
          untilDone(() => mongo.connect()),
          beats.jetstream && untilDone(() => jetstream.connect()),
        ]);
        lifecycle.onClose("mongodb", mongo.close);
        if (beats.jetstream) lifecycle.onClose("jetstream", jetstream.close);
        await parts.ensureIndexes();
        if (beats.jetstream) await jetstream.ensure([...streams], [...consumers], ensureMode(runtime));
        if (runtime.config.prepareOnly) return exitPrepared(runtime);
        for (const [name, beat] of Object.entries(beats)) {
          beat.start();
          lifecycle.onClose(`beat of ${name}`, beat.stop);
        }
        lifecycle.onClose("consumer gauges", watchConsumers(consumers, runtime));
        const streamWatch = watchStreams(consumers, runtime);
        streamWatch.start();
        lifecycle.onClose("stream watch", async () => void streamWatch.stop());
        await parts.start?.();
        if (parts.stop) lifecycle.onDrain(name, parts.stop);
      },
      stopped: lifecycle.drain,
    };
  };

/** In production the job before a rollout changes streams, with the migration's user; a process makes what is missing. */
const ensureMode = ({ config }: Runtime): EnsureMode =>
  config.prepareOnly || config.env === "local" ? "align" : "create";

function requireJetStream({ health, jetstream }: Runtime, beat: Pulse): void {
  health.require("jetstream", () => {
    if (!jetstream.connected()) throw new Error("not connected");
    beat.check();
  });
}

/** Only what a service really uses: without streams of its own it publishes nothing. */
function beatsOf({ config, mongo, jetstream }: Runtime, streams: readonly StreamSpec[]) {
  const subject = beatSubject(config.namespace, config.process);
  const publish = () => jetstream.publish(subject, "", { id: randomUUID() });
  return {
    mongodb: createPulse(mongo.roundTrip),
    ...(streams.length > 0 ? { jetstream: createPulse(publish) } : {}),
  };
}

function commonActions({ health }: Runtime): Record<string, ActionSchema> {
  return {
    ping: published(() => ({ pong: true })),
    ready: {
      ...internal(() => health.readiness()),
      circuitBreaker: { enabled: false },
      bulkhead: { enabled: false },
    },
  };
}

/** Exits before the service is announced: it was started only to prepare its stores. */
async function exitPrepared({ logger, lifecycle }: Runtime): Promise<void> {
  await lifecycle.close();
  logger.info("process.prepared");
  logger.flush();
  process.exit(0);
}

/** Without a bound of its own: the start deadline of the process ends it. */
const untilDone = (attempt: () => Promise<void>): Promise<void> => retry(attempt, { firstWaitMs: 500 });
