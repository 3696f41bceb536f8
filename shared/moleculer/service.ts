/** Builds a Moleculer service from its parts; connections, readiness and stop order are the same for all. */
import type { ActionSchema, ServiceBroker, ServiceSchema } from "moleculer";
import type { ServiceName } from "../config/config.ts";
import { actionProblems } from "../contract/actions.ts";
import { StreamMismatch } from "../jetstream/jetstream-ensure.ts";
import { watchStreams } from "../jetstream/stream-watch.ts";
import type { ConsumerSpec, StreamSpec } from "../jetstream/streams.ts";
import type { CollectionTable } from "../mongo/collections.rules.ts";
import { NotMigrated, requireCollections } from "../mongo/ensure-collections.ts";
import { createMongo, type Mongo } from "../mongo/mongo.ts";
import { createPulse, type Pulse } from "../process/pulse.ts";
import { retry } from "../retry.ts";
import { attachRuntime, type Runtime, runtimeOf } from "./runtime.ts";
import { type Actions, internal, published } from "./typed-actions.ts";

/** A service has a database; the gateway has none, and does not load its driver. */
export type ServiceRuntime = Runtime & { mongo: Mongo };

export function serviceRuntimeOf(broker: ServiceBroker): ServiceRuntime {
  const runtime: Runtime & { mongo?: Mongo } = runtimeOf(broker);
  const { mongo = createMongo(runtime.config, runtime.metrics) } = runtime;
  const own = { ...runtime, mongo };
  attachRuntime(broker, own);
  return own;
}

export type ServiceParts<S extends ServiceName> = {
  actions: Actions<S>;
  /** Broadcasts it listens to; hints only, because a broadcast can be lost. */
  events?: NonNullable<ServiceSchema["events"]>;
  collections: CollectionTable;
  streams?: readonly StreamSpec[];
  consumers?: readonly ConsumerSpec[];
  /** Monotonic time of the last write of its own that the database answered; by default the pulse writes. */
  wroteAt?(): number;
  /** Starts consumers and sweeps, once MongoDB and JetStream are connected. */
  start?(): Promise<void>;
  /** Stops intake and finishes work in progress. */
  stop?(): Promise<void>;
};

export const defineService =
  <S extends ServiceName>(
    name: S,
    build: (runtime: ServiceRuntime, broker: ServiceBroker) => ServiceParts<S>,
  ) =>
  (broker: ServiceBroker): ServiceSchema => {
    const runtime = serviceRuntimeOf(broker);
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
        const beats = beatsOf(runtime, streams, parts.wroteAt);
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
        await untilDone(() => requireCollections(mongo.connection, parts.collections)).catch((error) =>
          refuseStart(runtime, error),
        );
        // The database is migrated, so a missing stream was lost.
        if (beats.jetstream) await untilDone(() => jetstream.ensure([...streams], [...consumers], "create"));
        for (const [name, beat] of Object.entries(beats)) {
          beat.start();
          lifecycle.onClose(`beat of ${name}`, beat.stop);
        }
        if (consumers.length > 0) {
          const streamWatch = watchStreams(consumers, runtime);
          streamWatch.start();
          // Not awaited: its round may wait for a server that is away.
          lifecycle.onClose("stream watch", async () => void streamWatch.stop());
        }
        await parts.start?.();
        if (parts.stop) lifecycle.onDrain(name, parts.stop);
      },
      stopped: lifecycle.drain,
    };
  };

/** moleculer-runner exits with 1, but shows an error as a stack only. */
function refuseStart({ config, logger }: Runtime, error: unknown): never {
  if (error instanceof NotMigrated) {
    logger.fatal({ reason: error.message }, "process.not_migrated");
    process.stderr.write(`${config.process}: ${error.message}\n`);
  }
  throw error;
}

function requireJetStream({ health, jetstream }: Runtime, beat: Pulse): void {
  health.require("jetstream", () => {
    if (!jetstream.connected()) throw new Error("not connected");
    beat.check();
  });
}

/** A service without streams needs no JetStream. */
function beatsOf(
  { mongo, jetstream }: ServiceRuntime,
  streams: readonly StreamSpec[],
  wroteAt?: () => number,
) {
  const [stream] = streams;
  return {
    mongodb: createPulse(mongo.roundTrip, wroteAt),
    ...(stream ? { jetstream: createPulse(() => jetstream.roundTrip(stream.name)) } : {}),
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

/** Waits for a server that is away; the start deadline ends it. A fault that needs a person is not retried. */
const untilDone = (attempt: () => Promise<unknown>): Promise<unknown> =>
  retry(attempt, {
    firstWaitMs: 500,
    isPassing: (error) => !(error instanceof NotMigrated || error instanceof StreamMismatch),
  });
