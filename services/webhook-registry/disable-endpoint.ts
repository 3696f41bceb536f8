/** Disables an endpoint because a person wants it; outcomes of attempts do not undo that. */
import type { CallMeta } from "../../shared/identity/caller.ts";
import { auditedChange, endpointFact } from "./audited-change.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./endpoint.model.ts";
import { disabledByPerson } from "./health.rules.ts";
import { healthOf } from "./report-health.ts";

export async function disableEndpoint(deps: Deps, meta: CallMeta, partnerId: string): Promise<Endpoint> {
  const { before, after } = await auditedChange(deps, meta, partnerId, async (within) => {
    const changed = await changeEndpoint(within, partnerId, (endpoint) => {
      const health = disabledByPerson(endpoint, new Date(deps.clock.now()));
      return health === endpoint ? null : healthOf(health);
    });
    const fact = endpointFact("webhook.disabled", changed.before, changed.after);
    return { value: changed, fact: changed.before === changed.after ? null : fact };
  });
  if (before !== after)
    deps.logger.info({ partnerId, endpointId: after._id, from: before.status }, "endpoint.disabled");
  return after;
}
