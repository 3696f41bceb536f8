/** Webhook endpoints: where a partner's events go, with which secrets, and how healthy the address is. */
import type { Context, ServiceBroker } from "moleculer";
import { AppError } from "../../shared/errors.ts";
import { createFieldCipher } from "../../shared/field-cipher.ts";
import { type CallMeta, partnerOf } from "../../shared/identity/caller.ts";
import type { HttpParams } from "../../shared/moleculer/http-params.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { createDnsResolver } from "../../shared/webhook/dns-resolver.ts";
import { enableEndpoint, type Skipped } from "./enable-endpoint.ts";
import { endpointRepository } from "./endpoint.repository.ts";
import { toDeliveryEndpoint, toRecord } from "./endpoint.view.ts";
import { createEndpointSweep } from "./endpoint-sweep.ts";
import { registerEndpoint } from "./register-endpoint.ts";
import type { RegistryDeps } from "./registry-deps.ts";
import { type HealthReport, reportHealth } from "./report-health.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { secretVault } from "./secret-vault.ts";

type HttpContext = Context<HttpParams, CallMeta>;

/** The whole answer is promised within three seconds. */
const COUNT_DEADLINE_MS = 2_500;

export default defineService("webhook-registry", (runtime, broker) => {
  const deps = registryDeps(runtime, broker);
  const sweep = createEndpointSweep(deps, runtime.config.webhookSweepMs);
  const findOf = (partnerId: string) => deps.endpoints.findByPartner(partnerId);

  return {
    actions: {
      get: {
        visibility: "published",
        handler: async (ctx: HttpContext) => toRecord(await findOf(partnerOf(ctx.meta))),
      },
      register: {
        visibility: "published",
        handler: (ctx: HttpContext) =>
          registerEndpoint(deps, { partnerId: partnerOf(ctx.meta), url: urlIn(ctx.params.body) }),
      },
      replace: {
        visibility: "published",
        async handler(ctx: HttpContext) {
          const partnerId = partnerOf(ctx.meta);
          const { webhookSecret, message } = await registerEndpoint(deps, {
            partnerId,
            url: urlIn(ctx.params.body),
          });
          return { webhookSecret, message };
        },
      },
      rotateSecret: {
        visibility: "published",
        handler: (ctx: HttpContext) => rotateSecret(deps, partnerOf(ctx.meta)),
      },
      enable: {
        visibility: "published",
        handler: (ctx: HttpContext) =>
          enableEndpoint({ ...deps, countSkipped: countSkipped(ctx) }, partnerOf(ctx.meta)),
      },
      endpointForDelivery: {
        visibility: "public",
        async handler(ctx: Context<{ partnerId: string }, CallMeta>) {
          const endpoint = await findOf(ctx.params.partnerId);
          return endpoint && toDeliveryEndpoint(endpoint);
        },
      },
      reportHealth: {
        visibility: "public",
        handler: (ctx: Context<HealthReport, CallMeta>) => reportHealth(deps, ctx.params),
      },
    },
    ensureIndexes: async () => {
      await deps.endpoints.ensureIndexes();
    },
    start: async () => sweep.start(),
    stop: () => sweep.stop(),
  };
});

function registryDeps(
  { config, clock, logger, metrics, mongo }: Runtime,
  broker: ServiceBroker,
): RegistryDeps {
  const { webhookDnsTimeoutMs: timeoutMs, webhookDnsServers: servers } = config;
  return {
    endpoints: endpointRepository(mongo.connection),
    vault: secretVault(createFieldCipher(config.fieldKeys)),
    clock,
    logger,
    metrics,
    destination: {
      resolver: createDnsResolver({ timeoutMs, servers }),
      allowLoopback: config.webhookAllowLoopback,
      timeoutMs,
    },
    thresholds: {
      degradedAfterFailures: config.webhookDegradedAfter,
      disabledAfterMs: config.webhookDisabledAfterMs,
    },
    announceChange: (partnerId) => void broker.broadcast("webhook-endpoint.changed", { partnerId }),
  };
}

const urlIn = (body: unknown): unknown =>
  body !== null && typeof body === "object" && "url" in body ? body.url : undefined;

const countSkipped =
  (ctx: HttpContext) =>
  async (partnerId: string, since: Date): Promise<Skipped> => {
    try {
      return await ctx.call<Skipped, { partnerId: string; since: string }>(
        "delivery.countSkipped",
        { partnerId, since: since.toISOString() },
        { timeout: COUNT_DEADLINE_MS },
      );
    } catch (cause) {
      throw new AppError(
        "Webhook.DispatcherUnavailable",
        "The delivery service cannot be reached; nothing was changed. Retry shortly.",
        { cause, retryAfterSeconds: 1 },
      );
    }
  };
