/** JetStream behind one small port. With its jetstream-* helpers the only place that knows the client library. */
import {
  connect,
  Events,
  headers,
  type JetStreamClient,
  type JetStreamManager,
  type NatsConnection,
} from "nats";
import type { Config } from "./config.ts";
import { errorCode, unavailable } from "./errors.ts";
import { type BatchHandler, createDispatcher, type DispatchOptions } from "./jetstream-dispatch.ts";
import { ensureConsumer, ensureStream, StreamMismatch } from "./jetstream-ensure.ts";
import { createPull } from "./jetstream-pull.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import { isDatabaseAway } from "./mongo.ts";
import { natsOptions } from "./nats-options.ts";
import { type ConsumerSpec, type StreamName, type StreamSpec, streamName } from "./streams.ts";

export type { BatchHandler, DispatchOptions } from "./jetstream-dispatch.ts";
export type { StreamMessage } from "./jetstream-message.ts";

export type Published = { sequence: number; duplicate: boolean };
export type PublishOptions = { id: string; headers?: Readonly<Record<string, string>> };
/** How far a stream reaches and how far a consumer has handled it. */
export type Position = { firstSequence: number; lastSequence: number; handledUpTo: number };
export type Consumption = { stop(): Promise<void> };

export type JetStream = {
  /** One bounded try; once connected, the connection repairs itself for ever. */
  connect(): Promise<void>;
  /** Creates or updates; what is ensured here comes back by itself when the server lost it. */
  ensure(streams: readonly StreamSpec[], consumers: readonly ConsumerSpec[]): Promise<void>;
  /** Resolves when the server has stored the message; fails with Service.Unavailable within 3 s. */
  publish(subject: string, body: string, options: PublishOptions): Promise<Published>;
  consume(spec: ConsumerSpec, options: DispatchOptions, handler: BatchHandler): Consumption;
  /** null when the server cannot say. */
  position(stream: StreamName, consumer: string): Promise<Position | null>;
  connected(): boolean;
  close(): Promise<void>;
};

type JetStreamConfig = Pick<
  Config,
  "natsUrl" | "natsUser" | "natsPassword" | "natsCaFile" | "process" | "namespace" | "streamReplicas"
>;
type Deps = { config: JetStreamConfig; logger: Logger; metrics: Metrics };

const CONNECT_MS = 3_000;
const PUBLISH_MS = 3_000;
const REQUEST_MS = 5_000;
const CLOSE_MS = 2_000;
const REPAIR_FIRST_MS = 100;
const REPAIR_LONGEST_MS = 5_000;
const NO_RESPONDERS = "503";

type Session = { connection: NatsConnection; client: JetStreamClient; manager: JetStreamManager };

export function createJetStream({ config, logger, metrics }: Deps): JetStream {
  const { namespace } = config;
  const options = natsOptions(config, "jetstream");
  const streams = new Map<string, StreamSpec>();
  const consumers = new Map<string, ConsumerSpec>();
  const pulls = new Set<{ reopen(): void }>();
  let session: Session | null = null;
  let up = false;
  let repairing: Promise<void> | null = null;

  function open(): Session {
    if (!session || session.connection.isClosed()) throw unavailable("The message broker");
    return session;
  }

  async function ensureAll(mode: "align" | "create"): Promise<void> {
    const deps = { manager: open().manager, namespace, replicas: config.streamReplicas, logger, mode };
    for (const spec of streams.values()) await ensureStream(deps, spec);
    for (const spec of consumers.values()) await ensureConsumer(deps, spec);
  }

  /** After a reconnect or a loss: create what is missing, then pull again. Never two at once. */
  function repair(): Promise<void> {
    repairing ??= repairUntilDone().finally(() => {
      repairing = null;
    });
    return repairing;
  }

  async function repairUntilDone(): Promise<void> {
    for (let wait = REPAIR_FIRST_MS; ; wait = Math.min(wait * 2, REPAIR_LONGEST_MS)) {
      // Also before the first try, so that a consumer lost again and again is not a busy loop.
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (!session || session.connection.isClosed()) return;
      if (!up) continue;
      try {
        await ensureAll("create");
        for (const pull of pulls) pull.reopen();
        return;
      } catch (err) {
        logger.warn({ err }, "jetstream.repair_failed");
      }
    }
  }

  async function watchConnection(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect) {
        up = false;
        logger.warn("jetstream.disconnected");
      } else if (status.type === Events.Reconnect) {
        up = true;
        logger.info("jetstream.reconnected");
        void repair();
      }
    }
    up = false;
  }

  return {
    async connect() {
      if (session && !session.connection.isClosed()) return;
      try {
        const connection = await connect({ ...options, timeout: CONNECT_MS });
        const client = connection.jetstream({ timeout: REQUEST_MS });
        const manager = await connection.jetstreamManager({ checkAPI: false, timeout: REQUEST_MS });
        session = { connection, client, manager };
      } catch (cause) {
        throw unavailable("The message broker", cause);
      }
      up = true;
      void watchConnection(session.connection);
    },

    async ensure(wantedStreams, wantedConsumers) {
      for (const spec of wantedStreams) streams.set(spec.name, spec);
      for (const spec of wantedConsumers) consumers.set(spec.name, spec);
      try {
        await ensureAll("align");
      } catch (error) {
        if (error instanceof StreamMismatch) throw error;
        throw unavailable("JetStream", error);
      }
    },

    async publish(subject, body, { id, headers: extra = {} }) {
      // While away the library would keep the message and send it after its deadline.
      if (!up) throw unavailable("The message broker");
      const hdrs = headers();
      for (const [name, value] of Object.entries(extra)) hdrs.set(name, value);
      try {
        const ack = await open().client.publish(subject, body, {
          msgID: id,
          timeout: PUBLISH_MS,
          headers: hdrs,
        });
        return { sequence: ack.seq, duplicate: ack.duplicate };
      } catch (cause) {
        if (isMissingStream(cause)) void repair();
        throw unavailable("The message broker", cause);
      }
    },

    consume(spec, dispatch, handler) {
      const { connection } = open();
      const limit = 2 * dispatch.maxBatch * dispatch.parallelBatches;
      const dispatcher = createDispatcher({
        ...dispatch,
        consumer: spec.name,
        ackWaitMs: spec.ackWaitMs,
        handler,
        isPassing,
        onRoom: () => pull.more(),
        logger,
        metrics,
      });
      const pull = createPull({
        connection,
        inboxPrefix: options.inboxPrefix,
        stream: streamName(namespace, spec.stream),
        consumer: spec.name,
        limit,
        held: dispatcher.held,
        onMessage: dispatcher.accept,
        onLost: (reason) => {
          logger.warn({ consumer: spec.name, reason }, "consume.lost");
          void repair();
        },
      });
      const entry = { reopen: pull.open };
      pulls.add(entry);
      pull.open();
      return {
        async stop() {
          pulls.delete(entry);
          pull.close();
          await dispatcher.stop();
        },
      };
    },

    async position(stream, consumer) {
      if (!up) return null;
      const name = streamName(namespace, stream);
      try {
        const { manager } = open();
        const [info, { ack_floor }] = await Promise.all([
          manager.streams.info(name),
          manager.consumers.info(name, consumer),
        ]);
        const { first_seq, last_seq } = info.state;
        return { firstSequence: first_seq, lastSequence: last_seq, handledUpTo: ack_floor.stream_seq };
      } catch {
        return null;
      }
    },

    connected: () => up,

    async close() {
      const connection = session?.connection;
      session = null;
      if (!connection || connection.isClosed()) return;
      const drained = up ? connection.drain() : connection.close();
      const timer = setTimeout(() => void connection.close(), CLOSE_MS);
      await drained.catch(() => connection.close());
      clearTimeout(timer);
      up = false;
    },
  };
}

/** Faults of ours, not of the message at hand. */
const isPassing = (error: unknown): boolean =>
  errorCode(error) === "Service.Unavailable" || isDatabaseAway(error);

const isMissingStream = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === NO_RESPONDERS;
