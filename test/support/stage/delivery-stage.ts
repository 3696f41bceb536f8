/** Real delivery and webhook-registry services in this process, over real NATS and MongoDB, with a receiver to send to. */
import { randomUUID } from "node:crypto";
import type { Context } from "moleculer";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import { peersOf } from "../../../services/delivery/peers.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { HandedAttempt } from "../../../shared/contract/actions/delivery.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import type { ActionName } from "../../../shared/contract/actions.ts";
import type { DeliveryDetail, HistoryPage } from "../../../shared/contract/answers/delivery.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { type EventType, outboxEntry } from "../../../shared/contract/events.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { eventSubject } from "../../../shared/jetstream/streams.ts";
import type { HttpParams } from "../../../shared/moleculer/http-params.ts";
import { type ServiceRuntime, serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { continueTrace } from "../../../shared/telemetry/trace.ts";
import { createTestAuthority } from "../builders/certificates.ts";
import { type Receiver, startReceiver } from "../servers/receiver.ts";
import { waitFor } from "../wait-for.ts";
import { auditOf } from "./audit-of.ts";
import { openStage, type Settings } from "./stage.ts";

export type Detail = DeliveryDetail;
export type Page = HistoryPage;
type NewPartner = { partnerId: string; receiver: Receiver; secret: string };

export type DeliveryStage = Awaited<ReturnType<typeof startDeliveryStage>>;

const PATIENT_MS = 15_000;

/** The registry's node can have settings of its own. */
export async function startDeliveryStage(settings: Settings = {}, ofRegistry: Settings = {}) {
  const receivers: Receiver[] = [];
  const authority = await createTestAuthority();
  const aReceiver = async (): Promise<Receiver> => {
    const receiver = await startReceiver({ certificate: await authority.issue() });
    receivers.push(receiver);
    return receiver;
  };
  const on = openStage({
    PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
    PBO_WEBHOOK_CA_FILE: authority.caFile,
    PBO_DELIVERY_POLL_MS: "200",
    ...settings,
  });
  const { namespace, clock, log } = on;

  const confirmed = new Set<string>();
  const eventSource = () => ({
    name: "profile",
    actions: {
      confirmEvents: (ctx: Context<{ eventIds: string[] }>) => {
        for (const id of ctx.params.eventIds) confirmed.add(id);
      },
    },
  });
  const startRegistry = () => on.start("webhook-registry", [registryService], ofRegistry);
  const startDelivery = (own?: Settings, ownClock?: Clock) =>
    on.start("delivery", [deliveryService], own, ownClock);
  const [edge] = await Promise.all([on.start("gateway", []), on.start("profile", [eventSource])]);
  let [main, registry, delivery] = await Promise.all([aReceiver(), startRegistry(), startDelivery()]);
  await on.untilMet();

  const runtime = (): ServiceRuntime => serviceRuntimeOf(delivery);

  /** As the gateway calls, for a person of the partner. */
  async function call<T>(
    action: ActionName,
    partnerId: string,
    http: Partial<HttpParams> = {},
    more: Partial<CallMeta> = {},
  ): Promise<T> {
    const params: HttpParams = { params: {}, query: {}, body: {}, headers: { ifMatch: null }, ...http };
    const meta: CallMeta = {
      requestId: randomUUID(),
      traceparent: continueTrace(null),
      caller: { kind: "user", userId: randomUUID(), email: "dev@example.com", role: "Owner", partnerId },
      endsAt: performance.now() + PATIENT_MS,
      ...more,
    };
    return (await edge.call(action, params, { meta })) as T;
  }

  function anEvent(
    partnerId: string,
    eventType: EventType = "business.profile.created",
    { customerId = randomUUID(), sequence = 1 } = {},
  ): OutboxEntry {
    const correlation = {
      correlationId: randomUUID(),
      requestId: randomUUID(),
      customerId,
      partnerCustomerId: "ref-1",
      sequence,
    };
    const data = { customerId, name: "Müller & Søn ✓", note: '"quoted"' };
    return outboxEntry({ eventType, partnerId, correlation, data, traceparent: continueTrace(null) }, clock);
  }

  async function publish(entries: readonly OutboxEntry[], messageId = (entry: OutboxEntry) => entry.eventId) {
    await Promise.all(
      entries.map((entry) => {
        const subject = eventSubject(namespace, entry.partnerId, entry.eventType);
        const headers = entry.traceparent ? { traceparent: entry.traceparent } : {};
        return runtime().jetstream.publish(subject, entry.body, { id: messageId(entry), headers });
      }),
    );
  }

  /** A first attempt as another process hands it over, whatever the record says. */
  const handOver = async (attempt: HandedAttempt) =>
    (await on.callAs("delivery", "delivery.takeAttempts", { attempts: [attempt] })) as { refused: string[] };

  const stage = {
    audit: () => auditOf(delivery),
    namespace,
    clock,
    log,
    logLines: on.logLines,
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
    handOver,

    async register(partnerId: string, url = main.url()): Promise<string> {
      const action = "webhook-registry.register";
      const { webhookSecret } = await call<{ webhookSecret: string }>(action, partnerId, { body: { url } });
      return webhookSecret;
    },
    /** A partner whose webhook is a receiver of its own. */
    async aPartner(): Promise<NewPartner> {
      const [partnerId, receiver] = [randomUUID(), await aReceiver()];
      return { partnerId, receiver, secret: await stage.register(partnerId, receiver.url()) };
    },

    /** A partner whose first events are delivered. */
    async aServedPartner(events = 1): Promise<NewPartner> {
      const partner = await stage.aPartner();
      await publish(Array.from({ length: events }, () => anEvent(partner.partnerId)));
      await stage.untilTotal(partner.partnerId, { status: "Delivered" }, events);
      return partner;
    },

    endpoint: async (partnerId: string): Promise<DeliveryEndpoint> => {
      const found = await peersOf(delivery).endpointForDelivery(partnerId);
      if (!found) throw new Error("no webhook is registered");
      return found;
    },
    list: (partnerId: string, query: Record<string, string> = {}) =>
      call<Page>("delivery.listDeliveries", partnerId, { query }),
    untilTotal: (partnerId: string, query: Record<string, string>, total: number): Promise<unknown> =>
      waitFor(async () => (await stage.list(partnerId, query)).total === total, {
        what: `${total} deliveries ${JSON.stringify(query)}`,
      }),
    /** The newest delivery with this status, as soon as there is any. */
    untilFirst: (partnerId: string, status: string): Promise<Page["items"][number]> =>
      waitFor(async () => (await stage.list(partnerId, { status })).items[0], `a delivery to be ${status}`),
    /** The window of a replay around the present moment. */
    aroundNow: () => ({
      from: new Date(clock.now() - 3_600_000).toISOString(),
      to: new Date(clock.now() + 60_000).toISOString(),
    }),
    replay: (partnerId: string, deliveryId: string) =>
      call<{ deliveryId: string }>("delivery.replayDelivery", partnerId, { params: { deliveryId } }),
    replayWindow: (partnerId: string, body: object) =>
      call<{ created: number; replaySeries: string | null }>("delivery.replayWindow", partnerId, { body }),
    detail: (partnerId: string, deliveryId: string) =>
      call<Detail>("delivery.getDelivery", partnerId, { params: { deliveryId } }),

    startDelivery,
    processSettings: on.settingsOf,
    stopRegistry: () => on.end(registry),
    async startRegistry() {
      registry = await startRegistry();
      await on.untilMet();
    },
    stopDelivery: (broker = delivery) => on.end(broker),
    async restartDelivery() {
      if (on.isRunning(delivery)) await on.end(delivery);
      delivery = await startDelivery();
      await on.untilMet();
    },

    async stop() {
      await on.stop();
      await Promise.all(receivers.map((receiver) => receiver.close()));
    },
  };
  return stage;
}
