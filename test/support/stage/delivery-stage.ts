/** Real delivery and webhook-registry services in this process, over real NATS and MongoDB, with a receiver to send to. */
import { randomBytes, randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { ServiceBroker } from "moleculer";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import type { ActionName } from "../../../shared/actions.ts";
import { loadConfig, type ProcessName } from "../../../shared/config/config.ts";
import { writeMessage } from "../../../shared/events/event-message.rules.ts";
import type { OutboxEntry } from "../../../shared/events/events.ts";
import { type EventType, outboxEntry } from "../../../shared/events/events.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { CONSUMERS, deliverySubject, eventSubject } from "../../../shared/jetstream/streams.ts";
import { brokerOptions } from "../../../shared/moleculer/broker.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";
import { type Runtime, runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { continueTrace } from "../../../shared/telemetry/trace.ts";
import { createTestAuthority } from "../builders/certificates.ts";
import { type Receiver, startReceiver } from "../servers/receiver.ts";
import { aTestNamespace, testServerSettings } from "../servers/servers.ts";

export type DeliveryItem = {
  id: string;
  eventId: string;
  eventType: string;
  status: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  lastStatusCode: number | null;
  isReplay: boolean;
  replaySeries: string | null;
  occurredAt: string;
  completedAt: string | null;
};
export type Detail = DeliveryItem & {
  attempts: {
    attemptNo: number;
    sentAt: string;
    statusCode: number | null;
    responseExcerpt: string | null;
    durationMs: number;
    errorKind: string | null;
  }[];
  envelopeJson: string | null;
};
export type Page = { items: DeliveryItem[]; page: number; pageSize: number; total: number };

const MEET_WITHIN_MS = 10_000;

export type DeliveryStage = Awaited<ReturnType<typeof startDeliveryStage>>;

export async function startDeliveryStage(settings: Record<string, string> = {}) {
  const namespace = aTestNamespace();
  const log: string[] = [];
  let ahead = 0;
  const clock = {
    now: () => Date.now() + ahead,
    move: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
  const receivers: Receiver[] = [];
  const brokers = new Set<ServiceBroker>();
  const authority = await createTestAuthority();
  const aReceiver = async (): Promise<Receiver> => {
    const receiver = await startReceiver({ certificate: await authority.issue() });
    receivers.push(receiver);
    return receiver;
  };
  const main = await aReceiver();
  const fieldKeys = `test:${randomBytes(32).toString("base64")}`;

  async function start(
    process: ProcessName,
    service: (broker: ServiceBroker) => object,
    own: Record<string, string> = {},
  ) {
    const config = loadConfig(process, {
      ...testServerSettings(namespace),
      PBO_FIELD_KEYS: fieldKeys,
      PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
      PBO_WEBHOOK_CA_FILE: authority.caFile,
      PBO_DELIVERY_POLL_MS: "50",
      PBO_LOG_LEVEL: "info",
      ...settings,
      ...own,
    });
    const broker = new ServiceBroker(
      brokerOptions(config, { clock, logger: createLogger(config, collect(log)) }),
    );
    broker.createService(service(broker) as never);
    await broker.start();
    brokers.add(broker);
    return broker;
  }

  const confirmed = new Set<string>();
  /** Also the source of the events, which is told what was recorded. */
  async function startRegistry() {
    const broker = await start("webhook-registry", registryService);
    broker.createService({
      name: "profile",
      actions: {
        confirmEvents: (ctx) => {
          for (const id of (ctx.params as { eventIds: string[] }).eventIds) confirmed.add(id);
        },
      },
    });
    return broker;
  }
  let registry = await startRegistry();
  const startDelivery = (own?: Record<string, string>) => start("delivery", deliveryService, own);
  let delivery = await startDelivery();
  const untilMet = () =>
    Promise.all([
      delivery.waitForServices(["webhook-registry", "profile"], MEET_WITHIN_MS),
      registry.waitForServices(["delivery"], MEET_WITHIN_MS),
    ]);
  await untilMet();

  const runtime = (): Runtime => runtimeOf(delivery);

  /** As the gateway calls, for a person of the partner. */
  async function call<T>(action: ActionName, partnerId: string, http: Partial<HttpParams> = {}): Promise<T> {
    const params: HttpParams = { params: {}, query: {}, body: {}, headers: { ifMatch: null }, ...http };
    const meta: CallMeta = {
      requestId: randomUUID(),
      traceparent: continueTrace(null),
      caller: { kind: "user", userId: randomUUID(), email: "dev@example.com", role: "Owner", partnerId },
    };
    const from = action.startsWith("delivery.") && brokers.has(registry) ? registry : delivery;
    return (await from.call(action, params, { meta })) as T;
  }

  function anEvent(partnerId: string, eventType: EventType = "business.profile.created"): OutboxEntry {
    const customerId = randomUUID();
    const correlation = {
      correlationId: randomUUID(),
      requestId: randomUUID(),
      customerId,
      partnerCustomerId: "ref-1",
      sequence: 1,
    };
    const data = { customerId, name: "Müller & Søn ✓", note: '"quoted"' };
    return outboxEntry({ eventType, partnerId, correlation, data, traceparent: continueTrace(null) }, clock);
  }

  /** As the outbox of the profile service does. */
  async function publish(entries: readonly OutboxEntry[], messageId = (entry: OutboxEntry) => entry.eventId) {
    await Promise.all(
      entries.map((entry) => {
        const subject = eventSubject(namespace, entry.partnerId, entry.eventType);
        const { body, headers } = writeMessage([entry], "profile");
        return runtime().jetstream.publish(subject, body, { id: messageId(entry), headers });
      }),
    );
  }

  /** A message as for a due attempt, whatever the record says. */
  async function publishAttempt(deliveryId: string, attemptNo: number) {
    const body = JSON.stringify([{ deliveryId, attemptNo }]);
    const subject = deliverySubject(namespace, "attempt");
    await runtime().jetstream.publish(subject, body, { id: randomUUID() });
  }

  /** Messages not yet acknowledged. */
  async function queued(stream: "EVENTS" | "DELIVERIES"): Promise<number> {
    const consumer = stream === "EVENTS" ? CONSUMERS.deliveryRecord : CONSUMERS.deliveryAttempt;
    const position = await runtime().jetstream.position(stream, consumer.name);
    return position ? position.lastSequence - position.handledUpTo : Number.NaN;
  }

  const stage = {
    namespace,
    clock,
    log,
    logLines: () => log.map((line) => JSON.parse(line) as Record<string, unknown>),
    receiver: main,
    confirmed,
    get registry() {
      return registry;
    },
    broker: () => delivery,
    runtime,
    call,
    anEvent,
    publish,
    aReceiver,
    publishAttempt,
    queued,

    async register(partnerId: string, url = main.url()): Promise<string> {
      const { webhookSecret } = await call<{ webhookSecret: string }>(
        "webhook-registry.register",
        partnerId,
        {
          body: { url },
        },
      );
      return webhookSecret;
    },

    list: (partnerId: string, query: Record<string, string> = {}) =>
      call<Page>("delivery.listDeliveries", partnerId, { query }),
    detail: (partnerId: string, deliveryId: string) =>
      call<Detail>("delivery.getDelivery", partnerId, { params: { deliveryId } }),

    startDelivery,
    async stopRegistry() {
      brokers.delete(registry);
      await registry.stop();
    },
    async startRegistry() {
      registry = await startRegistry();
      await untilMet();
    },
    async stopDelivery(broker = delivery) {
      brokers.delete(broker);
      await broker.stop();
    },
    async restartDelivery() {
      await stage.stopDelivery();
      delivery = await startDelivery();
      await untilMet();
    },

    async stop() {
      await Promise.all([...brokers].map((broker) => broker.stop()));
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
  return stage;
}

const collect = (lines: string[]): Writable =>
  new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
