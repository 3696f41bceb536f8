/** Takes in the outcomes of attempts and moves the endpoint's health. */
import { changeEndpoint } from "./change-endpoint.ts";
import { applyOutcomes, type EndpointHealth, type EndpointStatus, type Outcome } from "./health.rules.ts";
import type { RegistryDeps } from "./registry-deps.ts";

export type ReportedOutcome = Omit<Outcome, "at"> & {
  /** The time the attempt ended; outcomes of one endpoint are told apart by it. */
  at: string;
  /** Where the attempt went. A process of an earlier version does not say; what it reports counts. */
  url?: string;
};

export type HealthReport = { endpointId: string; partnerId: string; outcomes: readonly ReportedOutcome[] };

export type HealthAnswer = {
  status: EndpointStatus;
  consecutiveFailures: number;
  /** A success of this report turned Degraded into Active; the same report sent again says so again. */
  healed: boolean;
  disabled: boolean;
};

export async function reportHealth(deps: RegistryDeps, report: HealthReport): Promise<HealthAnswer> {
  const outcomes = report.outcomes.map((outcome) => ({ ...outcome, at: new Date(outcome.at) }));
  if (outcomes.some(({ at }) => Number.isNaN(at.getTime()))) throw new Error("An outcome has no valid time.");
  const { before, after } = await changeEndpoint(deps, report.partnerId, (endpoint) => {
    // By URL and not by time: whoever remembers the endpoint sends to its old URL for a while after the change.
    const ofThisUrl = outcomes.filter(({ url = endpoint.url }) => url === endpoint.url);
    const health = applyOutcomes(endpoint, ofThisUrl, deps.thresholds);
    return health === endpoint ? null : healthOf(health);
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
  { logger }: Pick<RegistryDeps, "logger">,
  { _id, partnerId, status, disabledReason }: EndpointHealth & { _id: string; partnerId: string },
  from: EndpointStatus,
): void {
  logger.warn({ partnerId, endpointId: _id, from, to: status, disabledReason }, "endpoint.health_changed");
}

const isSame = (left: Date, right: Date | null): boolean => left.getTime() === right?.getTime();

/** Only the fields of health: the rest of the endpoint is not this report's to write. */
export const healthOf = (health: EndpointHealth): EndpointHealth => ({
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
});
