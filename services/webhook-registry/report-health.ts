/** Takes in the outcomes of attempts and moves the endpoint's health. */
import type { HealthAnswer, HealthReport } from "../../shared/contract/actions/webhook-registry.ts";
import type { EndpointStatus } from "../../shared/contract/vocabularies.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import type { Deps } from "./deps.ts";
import { applyOutcomes, type EndpointHealth } from "./health.rules.ts";

export async function reportHealth(deps: Deps, report: HealthReport): Promise<HealthAnswer> {
  const outcomes = report.outcomes.map((outcome) => ({ ...outcome, at: new Date(outcome.at) }));
  if (outcomes.some(({ at }) => Number.isNaN(at.getTime()))) throw new Error("An outcome has no valid time.");
  const { before, after } = await changeEndpoint(deps, report.partnerId, (endpoint) => {
    // By URL, not by time: a process that has the endpoint cached still sends to the old URL for a while.
    const ofThisUrl = outcomes.filter(({ url }) => url === endpoint.url);
    return healthChange(endpoint, applyOutcomes(endpoint, ofThisUrl, deps.thresholds));
  });
  if (before.status !== after.status) logTransition(deps, after, before.status);
  return {
    status: after.status,
    consecutiveFailures: after.consecutiveFailures,
    healed: after.status === "Active" && outcomes.some(({ at, ok }) => ok && isSame(at, after.healedAt)),
    disabled: after.status === "Disabled",
  };
}

export function logTransition(
  { logger }: Pick<Deps, "logger">,
  { _id, partnerId, status, disabledReason }: EndpointHealth & { _id: string; partnerId: string },
  from: EndpointStatus,
): void {
  logger.warn({ partnerId, endpointId: _id, from, to: status, disabledReason }, "endpoint.health_changed");
}

const isSame = (left: Date, right: Date | null): boolean => left.getTime() === right?.getTime();

/** Only fields of health, so that a report overwrites nothing else; null when the health is the same. */
export const healthChange = (before: EndpointHealth, health: EndpointHealth): EndpointHealth | null =>
  health === before
    ? null
    : {
        status: health.status,
        consecutiveFailures: health.consecutiveFailures,
        goneInARow: health.goneInARow,
        notPublicInARow: health.notPublicInARow,
        hasExhausted: health.hasExhausted,
        failingSince: health.failingSince,
        degradedSince: health.degradedSince,
        disabledAt: health.disabledAt,
        disabledReason: health.disabledReason,
        healedAt: health.healedAt,
        judgedUntil: health.judgedUntil,
      };
