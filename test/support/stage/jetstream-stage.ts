/** Clients of a nats-server of the test's own, which it may stop, freeze and wipe. */
import type { JetStreamManager } from "nats";
import { pino } from "pino";
import type { Config } from "../../../shared/config/config.ts";
import {
  createJetStream,
  type DispatchOptions,
  type JetStream,
  type StreamMessage,
} from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, type ConsumerSpec, eventSubject, STREAMS } from "../../../shared/jetstream/streams.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { startOwnNats } from "../servers/own-nats.ts";
import { aTestNamespace } from "../servers/servers.ts";
import { withNats } from "../servers/with-client.ts";

/** A crashed holder's messages come back soon. */
export const SPEC: ConsumerSpec = { ...CONSUMERS.deliveryRecord, ackWaitMs: 1_000 };

export const streamOf = (namespace: string) => `${namespace.toUpperCase()}_EVENTS`;

export const publish = (jetstream: JetStream, namespace: string, id: string) =>
  jetstream.publish(eventSubject(namespace, "p1", "webhook.test"), `body of ${id}`, { id });

export const publishMany = (jetstream: JetStream, namespace: string, count: number, prefix = "m") =>
  Promise.all(Array.from({ length: count }, (_, i) => publish(jetstream, namespace, `${prefix}${i}`)));

const NO_USERS = { natsUser: "", natsPassword: "", natsStreamsUser: "", natsStreamsPassword: "" };
type Place = Pick<Config, "natsUrl" | "process" | "namespace"> &
  Partial<Pick<Config, "natsCaFile" | "streamReplicas">>;

/** On a server without accounts; by default alone and without TLS. */
export const aJetStream = (place: Place): JetStream =>
  createJetStream({
    config: { ...NO_USERS, natsCaFile: "", streamReplicas: 1, ...place },
    logger: pino({ level: "silent" }),
    metrics: createMetrics("test"),
  });

type Options = Partial<DispatchOptions> & { spec?: ConsumerSpec };

export async function startJetStreamStage() {
  const nats = await startOwnNats();
  const cleanup: (() => Promise<void>)[] = [];

  function aClient(namespace: string, url = nats.url): JetStream {
    const jetstream = aJetStream({ natsUrl: url, process: "delivery", namespace });
    cleanup.push(jetstream.close);
    return jetstream;
  }

  return {
    nats,
    aClient,

    async aReadyClient(namespace = aTestNamespace()) {
      const jetstream = aClient(namespace);
      await jetstream.connect();
      await jetstream.ensure([STREAMS.EVENTS], [SPEC]);
      return { jetstream, namespace };
    },

    consume(
      jetstream: JetStream,
      handler: (batch: readonly StreamMessage[]) => Promise<void>,
      { spec = SPEC, ...options }: Options = {},
    ) {
      const all = { maxBatch: 10, parallelBatches: 2, onPoison: async () => undefined, ...options };
      const consumption = jetstream.consume(spec, all, handler);
      cleanup.push(consumption.stop);
      return consumption;
    },

    /** Looks at the server with a client of its own. */
    onServer: <T>(look: (manager: JetStreamManager) => Promise<T>): Promise<T> =>
      withNats(nats.url, async (connection) => look(await connection.jetstreamManager())),

    async cleanUp() {
      for (const step of cleanup.splice(0).reverse()) await step();
    },
  };
}
