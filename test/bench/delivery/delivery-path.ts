/** The whole path of events: both services as processes, a receiver, and a publisher as an outbox is one. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import type mongoose from "mongoose";
import { pino } from "pino";
import { Agent, request } from "undici";
import { systemClock } from "../../../shared/clock.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { createJetStream } from "../../../shared/jetstream/jetstream.ts";
import type * as broker from "../../../shared/moleculer/broker.ts";
import { createMongo } from "../../../shared/mongo/mongo.ts";
import type * as outboxSender from "../../../shared/outbox/outbox-sender.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { createTestAuthority } from "../../support/builders/certificates.ts";
import { waitFor } from "../../support/wait-for.ts";
import { EVENT_TYPE } from "../frame/an-event.ts";
import { type BenchEnv, benchFile } from "../frame/env.ts";

export type DeliveryPath = Awaited<ReturnType<typeof openDeliveryPath>>;

/**
 * Another namespace makes a second path that shares nothing with the first but the servers. `profileRuns`: the profile
 * service itself is told what is recorded.
 */
export async function openDeliveryPath(
  env: BenchEnv,
  settings: Record<string, string> = {},
  { profileRuns = false } = {},
) {
  const authority = await createTestAuthority();
  const newReceiver = () => startReceiver(env, authority);
  const receiver = await newReceiver();
  const own = {
    PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
    PBO_WEBHOOK_CA_FILE: authority.caFile,
    ...settings,
  };
  await env.startService("webhook-registry", { settings: own });
  const delivery = await env.startService("delivery", { settings: own });

  const config = loadConfig("admin", { ...env.settings, ...own, PBO_LOG_LEVEL: "silent" });
  const logger = pino({ level: "silent" });
  const mongo = createMongo({ ...config, process: "delivery" });
  const jetstream = createJetStream({ config, logger, metrics: createMetrics("bench") });
  env.onClose(() => mongo.close());
  env.onClose(() => jetstream.close());
  await Promise.all([mongo.connect(), jetstream.connect()]);
  const publish = await publisherOf(env, { jetstream, clock: systemClock, config, logger });
  const { brokerOptions } = await env.product<typeof broker>("shared/moleculer/broker.ts");
  const edge = new ServiceBroker(brokerOptions({ ...config, process: "gateway" }, { logger }));
  // The source of the events, which is told that they are recorded.
  const source = new ServiceBroker(brokerOptions({ ...config, process: "profile" }, { logger }));
  if (!profileRuns) source.createService({ name: "profile", actions: { confirmEvents: () => null } });
  for (const each of [edge, source]) {
    env.onClose(() => each.stop());
    await each.start();
  }
  await edge.waitForServices(["delivery", "webhook-registry"], 20_000);
  const deliveries = mongo.connection.collection("deliveries") as unknown as mongoose.mongo.Collection;

  const call = <T>(action: string, partnerId: string, http: object): Promise<T> => {
    const caller = { kind: "user", userId: "u", email: "u@example.com", role: "Owner", partnerId };
    const meta = { requestId: randomUUID(), traceparent: "", caller };
    const params = { params: {}, query: {}, body: {}, headers: { ifMatch: null }, ...http };
    return edge.call<T, object>(action, params, { meta });
  };
  const register = (partnerId: string, url = receiver.url()): Promise<unknown> =>
    call("webhook-registry.register", partnerId, { body: { url } });

  return {
    receiver,
    /** A process of its own, known to the same authority. */
    newReceiver,
    delivery,
    deliveries,
    mongo,
    call,
    register,

    async aPartner(url?: string): Promise<string> {
      const partnerId = randomUUID();
      await register(partnerId, url);
      return partnerId;
    },

    /** As an outbox does it with what was committed together. */
    publish,

    /** Until so many requests came in all, none of these deliveries waits, and so many were made since. */
    async untilRecorded(
      partners: readonly string[],
      since: Date,
      requests: number,
      delivered: number,
    ): Promise<void> {
      const ofThese = { partnerId: { $in: partners }, eventType: EVENT_TYPE, occurredAt: { $gte: since } };
      const done = { ...ofThese, counted: { $in: [true, false] }, status: "Delivered" };
      const open = { queue: { $exists: true }, claimableAt: { $lt: new Date(Date.now() + SOON_MS) } };
      const timing = { timeoutMs: 120_000, everyMs: 20 };
      // The receiver is asked first, because counting in the database would be part of what is measured.
      await waitFor(async () => (await receiver.count()) >= requests, {
        ...timing,
        what: `${requests} requests`,
      });
      const isDone = async () =>
        (await deliveries.findOne(open, { projection: { _id: 1 } })) === null &&
        (await deliveries.countDocuments(done)) >= delivered;
      await waitFor(isDone, { ...timing, what: `${delivered} deliveries` });
    },
  };
}

/** Later than any outcome of a round is stored, and sooner than the waiting retries of a backlog are due. */
const SOON_MS = 600_000;

type Packing = {
  groupForMessages(entries: readonly OutboxEntry[]): OutboxEntry[][];
  messageIdOf(group: readonly OutboxEntry[]): string;
};
type PackedSender = { send(group: readonly OutboxEntry[], messageId: string): Promise<boolean> };

/** The outbox of the checkout that is measured: an earlier one packs events of a partner and type into one message. */
async function publisherOf(env: BenchEnv, deps: Parameters<typeof outboxSender.createOutboxSender>[0]) {
  const { createOutboxSender } = await env.product<typeof outboxSender>("shared/outbox/outbox-sender.ts");
  const packing = await env.product<Packing>("shared/events/event-message.rules.ts").catch(() => null);
  const outbox = createOutboxSender({ ...deps, ...(packing && { source: "profile" }) });
  env.onClose(() => outbox.drain());
  const packed = outbox as unknown as PackedSender;
  return (entries: readonly OutboxEntry[]): Promise<unknown> =>
    packing
      ? Promise.all(
          packing.groupForMessages(entries).map((group) => packed.send(group, packing.messageIdOf(group))),
        )
      : Promise.all(entries.map((entry) => outbox.send(entry)));
}

/** Partners have servers of their own, and a client keeps its connections by origin. */
const ORIGINS = 8;

async function startReceiver(env: BenchEnv, authority: Awaited<ReturnType<typeof createTestAuthority>>) {
  const { cert, key } = await authority.issue();
  const ports = await Promise.all(Array.from({ length: ORIGINS }, () => env.freePort()));
  const [certFile, keyFile] = [join(env.dir, `${ports[0]}.crt`), join(env.dir, `${ports[0]}.key`)];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key);
  let asked = 0;
  /** Takes the origins in turn. */
  const url = (path = "/hook") => {
    asked += 1;
    return `https://localhost:${ports[asked % ORIGINS]}${path}`;
  };
  const agent = new Agent({ connect: { ca: authority.caPem }, connections: 256 });
  env.onClose(() => agent.close());
  const ask = async <T>(path: string): Promise<T> =>
    (await (await request(url(path), { dispatcher: agent })).body.json()) as T;
  const takeArrivals = () => ask<Record<string, number>>("/arrivals");
  const isUp = () =>
    takeArrivals().then(
      () => true,
      () => false,
    );
  await env.startScript(benchFile("delivery/receiver.ts"), [ports.join(","), certFile, keyFile], isUp);
  return { url, agent, caFile: authority.caFile, takeArrivals, count: () => ask<number>("/count") };
}
