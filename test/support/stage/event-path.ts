/**
 * The way of an event from a committed change to its record, with real servers: outbox, JetStream, recorder,
 * confirmation. Each side can die at any step: from then on it does nothing more, as a killed process would.
 */
import { pino } from "pino";
import { consumeEvents } from "../../../services/delivery/intake/events.consumer.ts";
import { eventRepository } from "../../../services/delivery/records/event.repository.ts";
import { systemClock } from "../../../shared/clock.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import { DEAD_LETTERS, type DeadLetter, deadLetters } from "../../../shared/jetstream/dead-letters.ts";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { createMongo } from "../../../shared/mongo/mongo.ts";
import { createOutbox, type Outbox } from "../../../shared/outbox/outbox.ts";
import { OUTBOX_INDEX } from "../../../shared/outbox/outbox-store.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer } from "../../../shared/telemetry/tracer.ts";
import { testServers } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";
import { aJetStream } from "./jetstream-stage.ts";

/** Where a process can die; before and after say whether the step itself still took effect. */
export type Step =
  | "before publish"
  | "after publish"
  | "before record"
  | "half-way in record"
  | "after record"
  | "before confirm"
  | "before removal"
  | "after removal";

type Side = {
  jetstream: JetStream;
  die(): Promise<void>;
  stop(): Promise<void>;
};
export type Source = Side & {
  outbox: Outbox;
  metrics(): Promise<string>;
  /** As the recorder calls it: fails when this side dies meanwhile. */
  confirmEvents(eventIds: readonly string[]): Promise<void>;
};

type RecorderOptions = { diesAt?: Step; ackWaitMs?: number };
type SourceOptions = { diesAt?: Step; sweepMs?: number; reconcileMs?: number };

export type EventPath = Awaited<ReturnType<typeof openEventPath>>;

export const POOL_SIZE = 10;
const SWEEP_MS = 50;
const RECONCILE_MS = 400;
const ACK_WAIT_MS = 1_000;
const PARTNER_ID = "0199a000-0000-7000-8000-000000000001";
const forEver = () => new Promise<never>(() => undefined);

export async function openEventPath(
  namespace: string,
  natsUrl: string,
  cluster: { natsCaFile?: string; streamReplicas?: number } = {},
) {
  const logger = pino({ level: "silent" });
  const mongo = createMongo({
    mongodbUri: testServers().mongodbUri,
    mongodbPoolSize: POOL_SIZE,
    namespace,
    process: "profile",
  });
  await mongo.connect();
  const db = mongo.connection.db;
  if (!db) throw new Error("not connected");
  const collection = db.collection("aggregates");
  const letters = db.collection<DeadLetter>(DEAD_LETTERS.name);
  const events = db.collection<{ _id: string; envelopeJson: string; recordedAt: Date }>("events");
  const sources = new Set<Source>();
  const sides = new Set<Side>();
  const { promise: died, resolve: reportDeath } = Promise.withResolvers<void>();

  async function connect(process: "profile" | "delivery") {
    const jetstream = aJetStream({ natsUrl, process, namespace, ...cluster });
    await jetstream.connect();
    return jetstream;
  }

  /** A cluster that has just started may have no leader yet. */
  const untilEnsured = (ensure: () => Promise<unknown>) =>
    waitFor(() => ensure().then(() => true), "stream and consumer");

  /** Runs a step of a side, unless it is dead or is to die here. */
  function mortal(diesAt: Step | undefined) {
    let dead = false;
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => undefined);
    return {
      gone,
      die: () => {
        dead = true;
        reject(new Error("the other side is gone"));
      },
      async step<T>(names: { before?: Step; after?: Step }, run: () => Promise<T>): Promise<T> {
        const passOrDie = async (name: Step | undefined) => {
          if (name !== undefined && name === diesAt && !dead) {
            dead = true;
            reportDeath();
          }
          if (dead) await forEver();
        };
        await passOrDie(names.before);
        const result = await run();
        await passOrDie(names.after);
        return result;
      },
    };
  }

  async function aSource({
    diesAt,
    sweepMs = SWEEP_MS,
    reconcileMs = RECONCILE_MS,
  }: SourceOptions = {}): Promise<Source> {
    const life = mortal(diesAt);
    const jetstream = await connect("profile");
    await untilEnsured(() => jetstream.ensure([STREAMS.EVENTS], []));
    const metrics = createMetrics("profile");
    const outbox = createOutbox({
      collection,
      source: "profile",
      jetstream: {
        ...jetstream,
        publish: (...args) =>
          life.step({ before: "before publish", after: "after publish" }, () => jetstream.publish(...args)),
      },
      deadLetters: deadLetters(letters, systemClock),
      clock: systemClock,
      config: { namespace, outboxSweepMs: sweepMs, outboxReconcileMs: reconcileMs },
      logger,
      metrics,
    });
    await collection.createIndexes([OUTBOX_INDEX]);
    outbox.start();
    const side: Source = {
      jetstream,
      outbox,
      metrics: metrics.text,
      async confirmEvents(eventIds) {
        const removal = () => outbox.confirm(eventIds);
        const answer = life.step({ before: "before removal", after: "after removal" }, removal);
        await Promise.race([answer, life.gone]);
      },
      async die() {
        life.die();
        sources.delete(side);
        sides.delete(side);
        // Its timer would sweep on; what hangs in a step is left hanging.
        void outbox.stop();
        await jetstream.close();
      },
      async stop() {
        sources.delete(side);
        sides.delete(side);
        await outbox.stop();
        await jetstream.close();
      },
    };
    sources.add(side);
    sides.add(side);
    return side;
  }

  async function aRecorder({ diesAt, ackWaitMs = ACK_WAIT_MS }: RecorderOptions = {}): Promise<Side> {
    const life = mortal(diesAt);
    const jetstream = await connect("delivery");
    const spec = { ...CONSUMERS.deliveryRecord, ackWaitMs };
    await untilEnsured(() => jetstream.ensure([STREAMS.EVENTS], [spec]));
    const repository = eventRepository(mongo.connection);
    const record: typeof repository.record = (found) =>
      life.step({ before: "before record", after: "after record" }, async () => {
        if (diesAt === "half-way in record") {
          const half = found.slice(0, Math.ceil(found.length / 2));
          await life.step({ after: "half-way in record" }, () => repository.record(half));
        }
        return repository.record(found);
      });
    const consumption = consumeEvents({
      jetstream,
      spec,
      schedule: async (found) => {
        const known = await record(found.map((event) => ({ ...event, endpointId: null })));
        return { recorded: found.length - known.size };
      },
      deadLetters: deadLetters(letters, systemClock),
      confirm: (found) =>
        life.step({ before: "before confirm" }, async () => {
          const [source] = sources;
          if (!source) throw new Error("the source is away");
          await source.confirmEvents(found.map(({ _id }) => _id));
        }),
      clock: systemClock,
      logger,
      metrics: createMetrics("delivery"),
      tracer: noTracer,
    });
    const side: Side = {
      jetstream,
      async die() {
        life.die();
        sides.delete(side);
        await jetstream.close();
      },
      async stop() {
        sides.delete(side);
        await consumption.stop();
        await jetstream.close();
      },
    };
    sides.add(side);
    return side;
  }

  let committed = 0;
  const pending = async () => {
    const [sum] = await collection
      .aggregate([{ $group: { _id: null, events: { $sum: { $size: "$outbox" } } } }])
      .toArray();
    return Number(sum?.events ?? 0);
  };

  return {
    aSource,
    aRecorder,
    /** Commits a change: a document with its events. The caller publishes them. */
    async commit(count = 1): Promise<OutboxEntry[]> {
      committed += 1;
      const outbox = Array.from({ length: count }, (_, at) => anEvent(committed, at));
      await collection.insertOne({ name: `change ${committed}`, outbox });
      return outbox;
    },
    collection,
    /** Resolves when a side reached the step at which it was to die. */
    died,
    recorded: () => events.find().toArray(),
    deadLetters: () => letters.find().toArray(),
    async untilConfirmed(): Promise<void> {
      await waitFor(async () => (await pending()) === 0, "all events confirmed");
    },
    db,
    async close(): Promise<void> {
      for (const side of [...sides]) await side.stop();
      await db.dropDatabase();
      await mongo.close();
    },
  };
}

const anEvent = (change: number, at: number): OutboxEntry =>
  outboxEntry(
    {
      eventType: "business.profile.created",
      partnerId: PARTNER_ID,
      correlation: {
        correlationId: `c${change}`,
        requestId: `r${change}`,
        customerId: `customer-${change}`,
        partnerCustomerId: null,
        sequence: at + 1,
      },
      data: { text: `Ünïcode “${change}”` },
      traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    },
    systemClock,
  );
