/** Enables and disables an endpoint. */
import type { Skipped } from "../../shared/contract/actions/delivery.ts";
import type { Enabling } from "../../shared/contract/answers/endpoint.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { auditedChange, changeWithFact } from "./audited-change.ts";
import { endpointNotFound } from "./change-endpoint.ts";
import { checkUrl } from "./check-url.ts";
import type { Deps } from "./deps.ts";
import type { Endpoint } from "./endpoint.model.ts";
import { disabledByPerson, healthy } from "./health.rules.ts";
import { healthChange } from "./report-health.ts";
import { suggestReplay } from "./suggest-replay.rules.ts";

type EnableDeps = Deps & { countSkipped(partnerId: string, since: Date): Promise<Skipped> };

/** Checks the URL again, and answers what the endpoint missed. */
export async function enableEndpoint(deps: EnableDeps, meta: CallMeta, partnerId: string): Promise<Enabling> {
  const endpoint = await deps.endpoints.findByPartner(partnerId);
  if (!endpoint) throw endpointNotFound();
  await checkUrl(deps, partnerId, endpoint.url);
  // Asked first, so that nothing is changed when the delivery service is away.
  const missed = endpoint.disabledAt ? await deps.countSkipped(partnerId, endpoint.disabledAt) : null;

  const { before, after } = await auditedChange(deps, meta, partnerId, (within) =>
    changeWithFact(within, partnerId, "webhook.enabled", ({ status, consecutiveFailures }) =>
      status === "Active" && consecutiveFailures === 0 ? null : healthy(new Date(deps.clock.now())),
    ),
  );
  if (before.status !== after.status)
    deps.logger.info({ partnerId, endpointId: after._id, from: before.status }, "endpoint.enabled");
  return { status: "Active", ...describeMissed(endpoint.disabledAt, missed, deps.clock.now()) };
}

/** Outcomes of attempts do not enable it again. */
export async function disableEndpoint(deps: Deps, meta: CallMeta, partnerId: string): Promise<Endpoint> {
  const { before, after } = await auditedChange(deps, meta, partnerId, (within) =>
    changeWithFact(within, partnerId, "webhook.disabled", (endpoint) =>
      healthChange(endpoint, disabledByPerson(endpoint, new Date(deps.clock.now()))),
    ),
  );
  if (before !== after)
    deps.logger.info({ partnerId, endpointId: after._id, from: before.status }, "endpoint.disabled");
  return after;
}

function describeMissed(
  disabledAt: Date | null,
  missed: Skipped | null,
  nowMs: number,
): Pick<Enabling, "skipped" | "suggestedReplay"> {
  if (!disabledAt || !missed) return { skipped: 0, suggestedReplay: null };
  const oldestMs = Date.parse(missed.oldestOccurredAt ?? "") || disabledAt.getTime();
  const since = new Date(Math.min(oldestMs, disabledAt.getTime()));
  return { skipped: missed.skipped, suggestedReplay: suggestReplay(since, new Date(nowMs)) };
}
