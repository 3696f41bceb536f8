/** After a rotation of the field keys: seals every secret with the newest key, so that the old one can go. */
import { changeEndpoint } from "./change-endpoint.ts";
import type { Deps } from "./deps.ts";

/** A secret whose key is not configured is left as it is and named in the log. */
export async function resealSecrets(deps: Deps): Promise<{ resealed: number; failed: number }> {
  const result = { resealed: 0, failed: 0 };
  for await (const { _id, partnerId, secrets } of deps.endpoints.each()) {
    try {
      if (!secrets.some(deps.vault.isStale)) continue;
      await changeEndpoint(deps, partnerId, (endpoint) => ({
        secrets: endpoint.secrets.map((secret) => deps.vault.reseal(endpoint._id, secret)),
      }));
      result.resealed += 1;
    } catch (err) {
      result.failed += 1;
      deps.logger.error({ err, partnerId, endpointId: _id }, "endpoint.reseal_failed");
    }
  }
  return result;
}
