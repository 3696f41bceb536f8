/** A real webhook-registry service and a caller on another node, over real NATS and MongoDB, with a clock to move. */
import { randomUUID } from "node:crypto";
import type { Context, ServiceSchema } from "moleculer";
import type { Endpoint } from "../../../services/webhook-registry/endpoint.model.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import type { PartnerStanding } from "../../../shared/contract/actions/auth-token.ts";
import type {
  DeliveryEndpoint,
  HealthAnswer,
  ReportedOutcome,
} from "../../../shared/contract/actions/webhook-registry.ts";
import type { ActionName } from "../../../shared/contract/actions.ts";
import type { EndpointView } from "../../../shared/contract/answers/endpoint.ts";
import type { AppError } from "../../../shared/errors.ts";
import type { CallMeta } from "../../../shared/identity/caller.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { continueTrace } from "../../../shared/telemetry/trace.ts";
import { auditOf } from "./audit-of.ts";
import { untilForgotten, untilKnown } from "./known-nodes.ts";
import { openStage, type Settings } from "./stage.ts";

export type RegistryStage = Awaited<ReturnType<typeof startRegistryStage>>;
export type Refusal = { code: string; status: number; message: string; retryAfterSeconds?: number };

export async function startRegistryStage(settings: Settings = {}) {
  const on = openStage({ PBO_WEBHOOK_ALLOW_LOOPBACK: "true", PBO_WEBHOOK_SWEEP_MS: "200", ...settings });
  const { clock, log, fieldKeys } = on;
  const changes: string[] = [];
  const startRegistry = (own?: Settings) => on.start("webhook-registry", [registryService], own);
  const listener = () => ({
    name: "delivery",
    events: {
      "webhook-endpoint.changed": (ctx: Context<{ partnerId: string }>) =>
        void changes.push(ctx.params.partnerId),
    },
  });
  const [registry, edge, delivery] = await Promise.all([
    startRegistry(),
    on.start("gateway", []),
    on.start("delivery", [listener]),
  ]);
  await on.untilMet();

  const { connection } = serviceRuntimeOf(registry).mongo;
  const collection = connection.collection<Endpoint>("webhook_endpoints");

  /** As the gateway calls, for a person of the partner. */
  async function call<T>(action: ActionName, partnerId: string, body?: unknown): Promise<T> {
    const meta: CallMeta = {
      requestId: randomUUID(),
      traceparent: continueTrace(null),
      caller: { kind: "user", userId: randomUUID(), email: "dev@example.com", role: "Owner", partnerId },
    };
    const params = { params: {}, query: {}, body, headers: { ifMatch: null } };
    return (await edge.call(action, params, { meta })) as T;
  }

  const stage = {
    clock,
    log,
    collection,
    changes,
    audit: auditOf(registry),
    startRegistry,
    fieldKeys,
    cipher: createFieldCipher(on.configOf("webhook-registry").webhookKeys),
    call,
    /** In the place of the delivery service, which the registry knows of until it is stopped. */
    async standIn(schema: ServiceSchema & { name: "delivery" }): Promise<{ stop(): Promise<void> }> {
      const broker = await on.start("delivery", [() => schema]);
      await untilKnown(registry, schema.name, broker);
      return {
        stop: async () => {
          await on.end(broker);
          await untilForgotten(registry, schema.name, broker);
        },
      };
    },
    /** The refusal of the call; fails when the call succeeded. */
    async refusal(action: ActionName, partnerId: string, body?: unknown): Promise<Refusal> {
      try {
        await call(action, partnerId, body);
      } catch (error) {
        const { type, code, message, data } = error as AppError;
        return { code: type, status: code, message, ...data };
      }
      throw new Error(`${action} was not refused`);
    },
    async register(partnerId: string, url = "https://localhost:8443/hook"): Promise<string> {
      const answer = await call<{ webhookSecret: string }>("webhook-registry.register", partnerId, { url });
      return answer.webhookSecret;
    },
    read: (partnerId: string) => call<EndpointView>("webhook-registry.get", partnerId),
    forDelivery: (partnerId: string) =>
      delivery.call("webhook-registry.endpointForDelivery", {
        partnerId,
      }) as Promise<DeliveryEndpoint | null>,
    setStanding: (standing: PartnerStanding) =>
      on.callAs("auth-token", "webhook-registry.setPartnerStanding", standing),
    async report(partnerId: string, ...outcomes: Partial<ReportedOutcome>[]): Promise<HealthAnswer> {
      const endpoint = await stage.forDelivery(partnerId);
      return (await delivery.call("webhook-registry.reportHealth", {
        endpointId: endpoint?.endpointId,
        partnerId,
        outcomes: outcomes.map((outcome) => ({
          at: new Date(clock.now()).toISOString(),
          url: endpoint?.url,
          ok: false,
          statusCode: 500,
          errorKind: "HttpStatus",
          exhausted: false,
          ...outcome,
        })),
      })) as HealthAnswer;
    },
    /** Each outcome a second after the one before. */
    async reportEach(partnerId: string, ...outcomes: Partial<ReportedOutcome>[]): Promise<HealthAnswer> {
      let answer: HealthAnswer | undefined;
      for (const outcome of outcomes) {
        clock.move(1_000);
        answer = await stage.report(partnerId, outcome);
      }
      return answer as HealthAnswer;
    },
    stop: on.stop,
  };
  return stage;
}
