/** Our way of an event: outbox, JetStream, pull consumer that acks after the handler. */
import type mongoose from "mongoose";
import { pino } from "pino";
import { systemClock } from "../../../shared/clock.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { readMessage } from "../../../shared/events/event-message.rules.ts";
import { createJetStream } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { createMongo } from "../../../shared/mongo/mongo.ts";
import { createOutbox } from "../../../shared/outbox/outbox.ts";
import { outboxIndexOf } from "../../../shared/outbox/outbox-store.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import type { BenchEnv } from "../frame/env.ts";
import { arrivals } from "../frame/in-flight.ts";

/** `confirms` as the delivery service does: each batch of recorded events leaves its outboxes at once. */
export async function openOurPath(env: BenchEnv, { confirms }: { confirms: boolean }) {
  // The process that needs no keys of a service.
  const config = loadConfig("admin", env.settings);
  const logger = pino({ level: "silent" });
  const metrics = createMetrics("bench");
  const mongo = createMongo(config);
  const jetstream = createJetStream({ config, logger, metrics });
  env.onClose(() => mongo.close());
  env.onClose(() => jetstream.close());
  await Promise.all([mongo.connect(), jetstream.connect()]);
  await jetstream.ensure([STREAMS.EVENTS], [CONSUMERS.deliveryRecord]);
  const collection = mongo.connection.collection("bench_profiles") as unknown as mongoose.mongo.Collection;
  const deps = {
    collection,
    source: "profile" as const,
    jetstream,
    deadLetters: { keep: async () => undefined },
    clock: systemClock,
    config,
    logger,
    metrics,
  };
  const outbox = createOutbox(deps);
  env.onClose(() => outbox.stop());
  await outboxIndexOf({ collection }).createIndexes();
  const { wait, arrived } = arrivals();
  const consumption = jetstream.consume(
    CONSUMERS.deliveryRecord,
    { maxBatch: 100, parallelBatches: 4, onPoison: async () => undefined },
    async (batch) => {
      const eventIds = batch.flatMap(readMessage).map(({ text }) => JSON.parse(text).eventId as string);
      if (confirms) await outbox.confirm(eventIds);
      for (const eventId of eventIds) arrived(eventId);
    },
  );
  env.onClose(() => consumption.stop());
  return { outbox, collection, wait };
}
