/** Registers the URL of a partner. The first time a secret is issued; later the URL is replaced and the secret stays. */
import type { Registration } from "../../shared/action-types/webhook-registry.ts";
import { orderedId } from "../../shared/ids.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import { checkUrl } from "./check-url.ts";
import type { Deps } from "./deps.ts";
import { healthy } from "./health.rules.ts";
import { applyStanding } from "./partner-standing.ts";

const REGISTERED =
  "The webhook is registered. Keep the secret now: it is shown only this once and signs every delivery.";
const REPLACED = "The webhook URL is replaced. The secret stays in force.";

export async function registerEndpoint(
  deps: Deps,
  { partnerId, url: raw }: { partnerId: string; url: unknown },
): Promise<Registration> {
  const url = await checkUrl(deps, partnerId, raw);
  const known = await deps.endpoints.findByPartner(partnerId);
  const webhookSecret = known ? null : await create(deps, partnerId, url);
  if (webhookSecret) return { url, webhookSecret, message: REGISTERED };

  // Another address has no history, and registering one is how a person re-enables a disabled endpoint.
  await changeEndpoint(deps, partnerId, () => ({ url, ...healthy(new Date(deps.clock.now())) }));
  deps.logger.info({ partnerId }, "endpoint.url_replaced");
  return { url, webhookSecret: null, message: REPLACED };
}

/** Null when somebody else of the partner was faster. */
async function create(deps: Deps, partnerId: string, url: string): Promise<string | null> {
  const now = new Date(deps.clock.now());
  const endpointId = orderedId(now.getTime());
  const { plain, stored } = deps.vault.create(endpointId, now);
  const isFirst = await deps.endpoints.insert({
    _id: endpointId,
    partnerId,
    url,
    secrets: [stored],
    ...healthy(now),
    createdAt: now,
    updatedAt: now,
    liveSince: now,
    version: 1,
  });
  if (!isFirst) return null;
  await applyStanding(deps, partnerId);
  deps.announceChange(partnerId);
  deps.logger.info({ partnerId, endpointId }, "endpoint.registered");
  return plain;
}
