/** Registers the URL of a partner. The first time a secret is issued; later the URL is replaced and the secret stays. */
import type { Registration } from "../../shared/contract/answers/endpoint.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { orderedId } from "../../shared/ids.ts";
import type { Audited } from "../../shared/stores/audit-trail.repository.ts";
import { auditedChange, changeWithFact, endpointFact } from "./audited-change.ts";
import { checkUrl } from "./check-url.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./endpoint.model.ts";
import { healthy } from "./health.rules.ts";
import { applyStanding } from "./partner-standing.ts";

const REGISTERED =
  "The webhook is registered. Keep the secret now: it is shown only this once and signs every delivery.";
const REPLACED = "The webhook URL is replaced. The secret stays in force.";

export async function registerEndpoint(
  deps: Deps,
  meta: CallMeta,
  { partnerId, url: raw }: { partnerId: string; url: unknown },
): Promise<Registration> {
  const url = await checkUrl(deps, partnerId, raw);
  const webhookSecret = await auditedChange(deps, meta, partnerId, async (within) => {
    const known = await within.endpoints.findByPartner(partnerId);
    return known ? replaceUrl(within, partnerId, url) : create(within, partnerId, url);
  });
  deps.logger.info({ partnerId }, webhookSecret ? "endpoint.registered" : "endpoint.url_replaced");
  return { url, webhookSecret, message: webhookSecret ? REGISTERED : REPLACED };
}

/** Another address has no history, and registering one is how a person re-enables a disabled endpoint. */
async function replaceUrl(deps: Deps, partnerId: string, url: string): Promise<Audited<null>> {
  const health = healthy(new Date(deps.clock.now()));
  const decide = () => ({ url, ...health });
  const { fact } = await changeWithFact(deps, partnerId, "webhook.url_replaced", decide);
  return { value: null, fact };
}

async function create(deps: Deps, partnerId: string, url: string): Promise<Audited<string | null>> {
  const now = new Date(deps.clock.now());
  const endpointId = orderedId(now.getTime());
  const { plain, stored } = deps.vault.create(endpointId, now);
  const endpoint: Endpoint = {
    _id: endpointId,
    partnerId,
    url,
    secrets: [stored],
    ...healthy(now),
    createdAt: now,
    updatedAt: now,
    liveSince: now,
    partnerInactiveSince: null,
    version: 1,
  };
  // Another user of the partner was faster.
  if (!(await deps.endpoints.insert(endpoint))) return replaceUrl(deps, partnerId, url);
  await applyStanding(deps, partnerId);
  return { value: plain, fact: endpointFact("webhook.registered", null, endpoint) };
}
