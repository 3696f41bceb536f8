/** Enables a disabled endpoint after its URL was checked again, and says what it missed. */
import type { Skipped } from "../../shared/contract/actions/delivery.ts";
import type { Enabling } from "../../shared/contract/answers/endpoint.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { auditedChange, endpointFact } from "./audited-change.ts";
import { changeEndpoint, endpointNotFound } from "./change-endpoint.ts";
import { checkUrl } from "./check-url.ts";
import type { Deps } from "./deps.ts";
import { healthy } from "./health.rules.ts";
import { suggestReplay } from "./suggest-replay.rules.ts";

type EnableDeps = Deps & { countSkipped(partnerId: string, since: Date): Promise<Skipped> };

export async function enableEndpoint(deps: EnableDeps, meta: CallMeta, partnerId: string): Promise<Enabling> {
  const endpoint = await deps.endpoints.findByPartner(partnerId);
  if (!endpoint) throw endpointNotFound();
  await checkUrl(deps, partnerId, endpoint.url);
  // Asked first, so that nothing is changed when the delivery service is away.
  const missed = endpoint.disabledAt ? await deps.countSkipped(partnerId, endpoint.disabledAt) : null;

  const { before, after } = await auditedChange(deps, meta, partnerId, async (within) => {
    const changed = await changeEndpoint(within, partnerId, (current) =>
      current.status === "Active" && current.consecutiveFailures === 0
        ? null
        : healthy(new Date(deps.clock.now())),
    );
    const fact = endpointFact("webhook.enabled", changed.before, changed.after);
    return { value: changed, fact: changed.before === changed.after ? null : fact };
  });
  if (before.status !== after.status)
    deps.logger.info({ partnerId, endpointId: after._id, from: before.status }, "endpoint.enabled");
  return { status: "Active", ...describeMissed(endpoint.disabledAt, missed, deps.clock.now()) };
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
