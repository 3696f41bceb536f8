/** Webhook endpoints: where a partner's events go, with which secrets, and how healthy the address is. */
import type { ServiceBroker } from "moleculer";
import type { Skipped } from "../../shared/contract/actions/delivery.ts";
import type { EndpointActivity } from "../../shared/contract/answers/endpoint.ts";
import { AppError } from "../../shared/errors.ts";
import { partnerOf } from "../../shared/identity/caller.ts";
import { isRecord } from "../../shared/is-record.ts";
import { defineService, type ServiceRuntime } from "../../shared/moleculer/service.ts";
import { type ActionContext, callerFor, internal, published } from "../../shared/moleculer/typed-actions.ts";
import { createFieldCipher, type FieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { auditKeySweep, auditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { partnerStandings } from "../../shared/stores/partner-standings.repository.ts";
import { createDnsResolver } from "../../shared/webhook/dns-resolver.ts";
import { COLLECTIONS } from "./collections.ts";
import type { Deps } from "./deps.ts";
import { disableEndpoint, enableEndpoint } from "./enable-endpoint.ts";
import type { Endpoint } from "./endpoint.model.ts";
import { endpointRepository } from "./endpoint.repository.ts";
import { toDeliveryEndpoint, toView } from "./endpoint.view.ts";
import { setPartnerStanding } from "./partner-standing.ts";
import { registerEndpoint } from "./register-endpoint.ts";
import { reportHealth } from "./report-health.ts";
import { rotateSecret } from "./rotate-secret.ts";
import { sealedSecrets, secretVault } from "./secret-vault.ts";
import { createEndpointSweep } from "./sweep.ts";

/** The whole answer is promised within three seconds. */
const COUNT_DEADLINE_MS = 2_500;
/** The endpoint is shown without its activity rather than late. */
const ACTIVITY_DEADLINE_MS = 1_000;

export default defineService("webhook-registry", (runtime, broker) => {
  const cipher = createFieldCipher(runtime.config.webhookKeys);
  const deps = registryDeps(runtime, broker, cipher);
  const sweepKeys = createFieldKeySweep({
    ...runtime,
    cipher,
    stores: [sealedSecrets(deps.endpoints, cipher)],
  });
  const sweep = createEndpointSweep(deps, runtime.lanes, runtime.config.webhookSweepMs);
  const findOf = (partnerId: string) => deps.endpoints.findByPartner(partnerId);

  const view = async (ctx: ActionContext<unknown>, endpoint: Endpoint | null) =>
    toView(endpoint, endpoint && (await activityOf(ctx, endpoint)), new Date(deps.clock.now()));

  return {
    actions: {
      get: published(async (ctx) => view(ctx, await findOf(partnerOf(ctx.meta)))),
      register: published(({ meta, params }) =>
        registerEndpoint(deps, meta, { partnerId: partnerOf(meta), url: urlIn(params.body) }),
      ),
      replace: published(async ({ meta, params }) => {
        const endpoint = { partnerId: partnerOf(meta), url: urlIn(params.body) };
        const { webhookSecret, message } = await registerEndpoint(deps, meta, endpoint);
        return { webhookSecret, message };
      }),
      rotateSecret: published(({ meta }) => rotateSecret(deps, meta, partnerOf(meta))),
      enable: published((ctx) =>
        enableEndpoint({ ...deps, countSkipped: countSkipped(ctx) }, ctx.meta, partnerOf(ctx.meta)),
      ),
      disable: published(async (ctx) =>
        view(ctx, await disableEndpoint(deps, ctx.meta, partnerOf(ctx.meta))),
      ),
      endpointForDelivery: internal(async ({ params }) => {
        const endpoint = await findOf(params.partnerId);
        return endpoint && toDeliveryEndpoint(endpoint);
      }),
      reportHealth: internal(({ params }) => reportHealth(deps, params)),
      sweepFieldKeys: internal(async ({ params, meta }) => {
        await auditKeySweep(deps.audit, meta, params);
        return sweepKeys(params);
      }),
      auditEntries: internal(async ({ params }) => ({ items: await deps.audit.list(params) })),
      auditLinks: internal(({ params }) => deps.audit.links(params)),
      setPartnerStanding: internal(({ params }) => setPartnerStanding(deps, params)),
    },
    collections: COLLECTIONS,
    start: async () => sweep.start(),
    stop: () => sweep.stop(),
  };
});

function registryDeps(
  { config, clock, logger, metrics, mongo }: ServiceRuntime,
  broker: ServiceBroker,
  cipher: FieldCipher,
): Deps {
  const { webhookDnsTimeoutMs: timeoutMs, webhookDnsServers: servers } = config;
  return {
    endpoints: endpointRepository(mongo.connection),
    standings: partnerStandings(mongo.connection),
    vault: secretVault(cipher),
    audit: auditTrail(mongo.connection, {
      service: "webhook-registry",
      clock,
      keys: config.webhookKeys,
      retentionDays: config.auditRetentionDays,
    }),
    clock,
    logger,
    metrics,
    destination: {
      resolver: createDnsResolver({ timeoutMs, servers }),
      allowLoopback: config.webhookAllowLoopback,
      timeoutMs,
    },
    thresholds: { disabledAfterMs: config.webhookDisabledAfterMs },
    announceChange: (partnerId) => void broker.broadcast("webhook-endpoint.changed", { partnerId }),
  };
}

const urlIn = (body: unknown): unknown => (isRecord(body) ? body.url : undefined);

const activityOf = (
  ctx: ActionContext<unknown>,
  { _id: endpointId, partnerId }: Endpoint,
): Promise<EndpointActivity | null> =>
  callerFor("webhook-registry", ctx)(
    "delivery.endpointActivity",
    { endpointId, partnerId },
    { timeout: ACTIVITY_DEADLINE_MS },
  ).catch(() => null);

const countSkipped =
  (ctx: ActionContext<unknown>) =>
  async (partnerId: string, since: Date): Promise<Skipped> => {
    const call = callerFor("webhook-registry", ctx);
    try {
      return await call(
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
