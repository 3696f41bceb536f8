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
import { createJetStream } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { createMongo, type Mongo } from "../../../shared/mongo/mongo.ts";
import { createOutbox, type Outbox } from "../../../shared/outbox/outbox.ts";
import { OUTBOX_INDEX, type OutboxCollection } from "../../../shared/outbox/outbox-store.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer } from "../../../shared/telemetry/tracer.ts";
import { testServers } from "../servers/servers.ts";
import { waitFor } from "../wait-for.ts";

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
  jetstream: ReturnType<typeof createJetStream>;
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
/** Of a cluster; by default one server without TLS. */
type ClusterOptions = { natsCaFile?: string; streamReplicas?: number };

export type EventPath = {
  aSource(options?: SourceOptions): Promise<Source>;
  aRecorder(options?: RecorderOptions): Promise<Side>;
  /** One committed change: a document with its events. Answers them; publishing is up to the caller. */
  commit(events?: number): Promise<OutboxEntry[]>;
  collection: OutboxCollection;
  /** Resolves when a side reached the step at which it was to die. */
  died: Promise<void>;
  pending(): Promise<number>;
  recorded(): Promise<{ _id: string; envelopeJson: string; recordedAt: Date }[]>;
  deadLetters(): Promise<{ _id: string; reason: string; times: number }[]>;
  untilConfirmed(): Promise<void>;
  db: NonNullable<Mongo["connection"]["db"]>;
  close(): Promise<void>;
};

/** Connections to MongoDB that all sides share. */
export const POOL_SIZE = 10;
const SWEEP_MS = 50;
const RECONCILE_MS = 400;
const ACK_WAIT_MS = 1_000;
const PARTNER_ID = "0199a000-0000-7000-8000-000000000001";
const forEver = () => new Promise<never>(() => undefined);

export async function openEventPath(
  namespace: string,
  natsUrl: string,
  { natsCaFile = "", streamReplicas = 1 }: ClusterOptions = {},
): Promise<EventPath> {
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
  let reportDeath = () => {};
  const died = new Promise<void>((resolve) => {
    reportDeath = resolve;
  });

  async function connect(process: "profile" | "delivery") {
    const jetstream = createJetStream({
      config: {
        natsUrl,
        natsUser: "",
        natsPassword: "",
        natsStreamsUser: "",
        natsStreamsPassword: "",
        natsCaFile,
        process,
        namespace,
        streamReplicas,
      },
      logger,
      metrics: createMetrics(process),
    });
    await jetstream.connect();
    return jetstream;
  }

  /** A cluster that has just started may have no leader yet. */
  const untilEnsured = (ensure: () => Promise<unknown>) =>
    waitFor(() => ensure().then(() => true), { what: "stream and consumer" });

  /** Runs a step of a side, unless it is dead or is to die here. */
  function mortal(diesAt: Step | undefined) {
    let dead = false;
    let part: (reason: Error) => void = () => {};
    const gone = new Promise<never>((_, reject) => {
      part = reject;
    });
    gone.catch(() => undefined);
    return {
      gone,
      die: () => {
        dead = true;
        part(new Error("the other side is gone"));
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
    async commit(count = 1) {
      committed += 1;
      const outbox = Array.from({ length: count }, (_, at) => anEvent(committed, at));
      await collection.insertOne({ name: `change ${committed}`, outbox });
      return outbox;
    },
    collection,
    died,
    pending,
    recorded: () => events.find().toArray(),
    deadLetters: () => letters.find().toArray(),
    async untilConfirmed() {
      await waitFor(async () => (await pending()) === 0, { what: "all events confirmed" });
    },
    db,
    async close() {
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
