/** JetStream behind a small interface; only this folder knows the client library. */
import { headers } from "nats";
import type { Config } from "../config/config.ts";
import { errorCode, unavailable } from "../errors.ts";
import { type Lanes, noLanes } from "../lanes.ts";
import { isDatabaseAway } from "../mongo/database-away.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type BatchHandler, createDispatcher, type DispatchOptions } from "./jetstream-dispatch.ts";
import {
  type EnsureMode,
  ensureConsumer,
  ensureStream,
  isMissingStream,
  StreamMismatch,
} from "./jetstream-ensure.ts";
import { createPublisher, NoStream } from "./jetstream-publish.ts";
import { createPull } from "./jetstream-pull.ts";
import { createSession } from "./jetstream-session.ts";
import { natsOptions } from "./nats-options.ts";
import type { StreamNumbers } from "./stream-health.rules.ts";
import { type ConsumerSpec, type StreamName, type StreamSpec, streamName } from "./streams.ts";

export type { BatchHandler, DispatchOptions } from "./jetstream-dispatch.ts";
export type { StreamMessage } from "./jetstream-message.ts";

/** The server drops a second message with the same id within its duplicate window. */
type PublishOptions = { id: string; headers?: Readonly<Record<string, string>> };
export type Consumption = ReturnType<JetStream["consume"]>;
export type JetStream = ReturnType<typeof createJetStream>;

type JetStreamConfig = Parameters<typeof natsOptions>[0] & Pick<Config, "namespace" | "streamReplicas">;
type Deps = { config: JetStreamConfig; logger: Logger; metrics: Metrics; lanes?: Pick<Lanes, "lane"> };

const PUBLISH_MS = 3_000;
const MESSAGE_ID = "Nats-Msg-Id";

export function createJetStream({ config, logger, metrics, lanes = noLanes }: Deps) {
  const { namespace, streamReplicas: replicas } = config;
  const options = natsOptions(config, "jetstream");
  const streams = new Map<string, StreamSpec>();
  const consumers = new Map<string, ConsumerSpec>();
  const openPulls = new Set<() => void>();
  const session = createSession({ options, restore, logger });
  const publisher = createPublisher({
    connection: () => session.link().connection,
    inboxPrefix: options.inboxPrefix,
    timeoutMs: PUBLISH_MS,
  });

  async function ensureAll(
    wantedStreams: Iterable<StreamSpec>,
    wantedConsumers: Iterable<ConsumerSpec>,
    mode: EnsureMode,
  ): Promise<string[]> {
    const deps = { manager: session.link().manager, namespace, replicas, logger, mode };
    const changes: (string | null)[] = [];
    for (const spec of wantedStreams) changes.push(await ensureStream(deps, spec));
    for (const spec of wantedConsumers) changes.push(await ensureConsumer(deps, spec));
    return changes.filter((change) => change !== null);
  }

  async function restore(): Promise<void> {
    await ensureAll(streams.values(), consumers.values(), "create");
    for (const open of openPulls) open();
  }

  return {
    /** A single attempt with a timeout; once connected, the connection reconnects indefinitely. */
    connect: session.connect,
    connected: session.connected,
    /** Stop all consumptions first. */
    close: session.close,

    /**
     * Creates what is missing. `align` also changes what differs, with the rights of the migration's user; `plan` changes
     * nothing. What was ensured is recreated when the server lost it. Resolves to the changes that it made, or would make.
     */
    async ensure(
      wantedStreams: readonly StreamSpec[],
      wantedConsumers: readonly ConsumerSpec[],
      mode: EnsureMode = "align",
    ): Promise<string[]> {
      if (mode !== "plan") {
        for (const spec of wantedStreams) streams.set(spec.name, spec);
        for (const spec of wantedConsumers) consumers.set(spec.name, spec);
      }
      try {
        return await ensureAll(wantedStreams, wantedConsumers, mode);
      } catch (error) {
        if (error instanceof StreamMismatch) throw error;
        throw unavailable("JetStream", error);
      }
    },

    /** Resolves when the server has stored the message; fails with Service.Unavailable within 3 s. */
    async publish(subject: string, body: string, { id, headers: extra = {} }: PublishOptions) {
      // While disconnected the library would buffer the message and send it after its deadline.
      if (!session.connected()) throw unavailable("The message broker");
      const all = headers();
      all.set(MESSAGE_ID, id);
      for (const [name, value] of Object.entries(extra)) all.set(name, value);
      try {
        const { seq } = await publisher.publish(subject, body, all);
        return { sequence: seq };
      } catch (cause) {
        if (cause instanceof NoStream) session.repair();
        throw unavailable("The message broker", cause);
      }
    },

    /** Messages the handler leaves unsettled are acked when it resolves and redelivered when it rejects. */
    consume(spec: ConsumerSpec, dispatch: DispatchOptions, handler: BatchHandler) {
      const lane = lanes.lane(spec.name);
      const dispatcher = createDispatcher({
        ...dispatch,
        consumer: spec.name,
        ackWaitMs: spec.ackWaitMs,
        handler: (batch) => lane(() => handler(batch)),
        isPassing,
        onRoom: () => pull.more(),
        logger,
        metrics,
      });
      const pull = createPull({
        connection: session.link().connection,
        inboxPrefix: options.inboxPrefix,
        stream: streamName(namespace, spec.stream),
        consumer: spec.name,
        // Twice the messages in running batches, so that a free slot never waits for the network.
        limit: 2 * dispatch.maxBatch * dispatch.parallelBatches,
        held: dispatcher.held,
        onMessage: dispatcher.accept,
        onLost: (reason) => {
          logger.warn({ consumer: spec.name, reason }, "consume.lost");
          session.repair();
        },
      });
      openPulls.add(pull.open);
      pull.open();
      return {
        async stop(): Promise<void> {
          openPulls.delete(pull.open);
          pull.close();
          await dispatcher.stop();
        },
      };
    },

    /** Resolves when the leader of the stream has answered. A missing stream is recreated. */
    async roundTrip(stream: StreamName): Promise<void> {
      try {
        await session.link().manager.streams.info(streamName(namespace, stream));
      } catch (cause) {
        if (isMissingStream(cause)) session.repair();
        throw unavailable("JetStream", cause);
      }
    },

    /** Null when the server does not answer for each of them, for example while a consumer has no leader. */
    async numbers(stream: StreamName, specs: readonly ConsumerSpec[]): Promise<StreamNumbers | null> {
      const name = streamName(namespace, stream);
      try {
        const { streams: streamApi, consumers: consumerApi } = session.link().manager;
        // The stream after its consumers: a message that arrives in between would look lost otherwise.
        const infos = await Promise.all(specs.map((spec) => consumerApi.info(name, spec.name)));
        const { created, state } = await streamApi.info(name);
        return {
          created: String(created),
          firstSequence: state.first_seq,
          lastSequence: state.last_seq,
          messages: state.messages,
          consumers: infos.map((info, index) => ({
            pending: info.num_pending,
            ackPending: info.num_ack_pending,
            maxAckPending: specs[index]?.maxAckPending ?? 0,
            redelivered: info.num_redelivered,
            deliveredUpTo: info.delivered.stream_seq,
            waiting: info.num_waiting,
          })),
        };
      } catch {
        return null;
      }
    },

    /** Deletes the stream with its messages and recreates it with its consumers. */
    async rebuild(stream: StreamName): Promise<void> {
      try {
        await session.link().manager.streams.delete(streamName(namespace, stream));
      } finally {
        session.repair();
      }
    },
  };
}

/** Faults on our side, not of the message. */
const isPassing = (error: unknown): boolean =>
  errorCode(error) === "Service.Unavailable" || isDatabaseAway(error);
