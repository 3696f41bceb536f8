/**
 * The health of an endpoint, moved by the outcomes of attempts.
 *
 * - Active → Degraded: five failed attempts in a row, or a delivery that is Exhausted.
 * - Degraded → Active: the first success.
 * - Degraded → Disabled: 72 hours without success and at least one Exhausted delivery.
 * - → Disabled immediately: two 410 in a row, or three addresses that are not public in a row.
 * - → Disabled by a person, from any status.
 * - Disabled is left only by a person.
 */
import type { DisabledReason, EndpointStatus } from "../../shared/contract/vocabularies.ts";

export type EndpointHealth = {
  status: EndpointStatus;
  consecutiveFailures: number;
  goneInARow: number;
  notPublicInARow: number;
  /** A delivery was exhausted since the last success. */
  hasExhausted: boolean;
  /** The first failure since the last success. */
  failingSince: Date | null;
  degradedSince: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
  /** The success that last turned Degraded into Active. */
  healedAt: Date | null;
  /** Outcomes up to this moment were counted; one that comes again or too late is not counted twice. */
  judgedUntil: Date;
};

export type Outcome = {
  at: Date;
  ok: boolean;
  statusCode: number | null;
  errorKind: string | null;
  /** This failure was the last attempt of its delivery. */
  exhausted: boolean;
};

export type HealthThresholds = { disabledAfterMs: number };

const DEGRADED_AFTER_FAILURES = 5;

const GONE = 410;
const GONE_LIMIT = 2;
const NOT_PUBLIC_LIMIT = 3;

export const healthy = (now: Date): EndpointHealth => ({
  status: "Active",
  consecutiveFailures: 0,
  goneInARow: 0,
  notPublicInARow: 0,
  hasExhausted: false,
  failingSince: null,
  degradedSince: null,
  disabledAt: null,
  disabledReason: null,
  healedAt: null,
  judgedUntil: now,
});

/** Applies a report; answers the same object when it changes nothing. */
export function applyOutcomes(
  health: EndpointHealth,
  outcomes: readonly Outcome[],
  thresholds: HealthThresholds,
): EndpointHealth {
  const known = health.judgedUntil.getTime();
  return [...outcomes]
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .reduce((current, outcome) => {
      if (current.status === "Disabled") return current;
      if (outcome.at.getTime() <= known) return applyLateOutcome(current, outcome, thresholds);
      return outcome.ok ? succeed(current, outcome.at) : fail(current, outcome, thresholds);
    }, health);
}

/** Also asked by the clock: the last report of a dead endpoint may come before its 72 hours are over. */
export function disableWhenOverdue(
  health: EndpointHealth,
  now: Date,
  { disabledAfterMs }: HealthThresholds,
): EndpointHealth {
  const { status, hasExhausted, failingSince } = health;
  const isOverdue =
    status === "Degraded" &&
    hasExhausted &&
    failingSince !== null &&
    now.getTime() - failingSince.getTime() >= disabledAfterMs;
  return isOverdue ? disabled(health, now, "ConsecutiveFailures") : health;
}

/** A late outcome counts only as an exhausted delivery, while the failures go on. */
function applyLateOutcome(
  health: EndpointHealth,
  { at, ok, exhausted }: Outcome,
  thresholds: HealthThresholds,
): EndpointHealth {
  const { hasExhausted, failingSince } = health;
  const counts = !ok && exhausted && !hasExhausted && failingSince !== null;
  if (!counts || at.getTime() < failingSince.getTime()) return health;
  return disableWhenOverdue(degraded({ ...health, hasExhausted: true }, at), health.judgedUntil, thresholds);
}

function succeed(health: EndpointHealth, at: Date): EndpointHealth {
  if (health.status === "Active" && health.consecutiveFailures === 0) return health;
  return { ...healthy(at), healedAt: health.status === "Degraded" ? at : health.healedAt };
}

function fail(health: EndpointHealth, outcome: Outcome, thresholds: HealthThresholds): EndpointHealth {
  const failed: EndpointHealth = {
    ...health,
    judgedUntil: outcome.at,
    consecutiveFailures: health.consecutiveFailures + 1,
    goneInARow: outcome.statusCode === GONE ? health.goneInARow + 1 : 0,
    notPublicInARow: outcome.errorKind === "UrlNotPublic" ? health.notPublicInARow + 1 : 0,
    hasExhausted: health.hasExhausted || outcome.exhausted,
    failingSince: health.failingSince ?? outcome.at,
  };
  if (failed.goneInARow >= GONE_LIMIT) return disabled(failed, outcome.at, "EndpointGone");
  if (failed.notPublicInARow >= NOT_PUBLIC_LIMIT) return disabled(failed, outcome.at, "UrlNotPublic");
  const isDegraded = failed.hasExhausted || failed.consecutiveFailures >= DEGRADED_AFTER_FAILURES;
  return isDegraded ? disableWhenOverdue(degraded(failed, outcome.at), outcome.at, thresholds) : failed;
}

const degraded = (health: EndpointHealth, at: Date): EndpointHealth =>
  health.status === "Active" ? { ...health, status: "Degraded", degradedSince: at } : health;

/** A disabled endpoint keeps its reason and time. */
export const disabledByPerson = (health: EndpointHealth, now: Date): EndpointHealth =>
  health.status === "Disabled" ? health : disabled(health, now, "Person");

const disabled = (health: EndpointHealth, at: Date, reason: DisabledReason): EndpointHealth => ({
  ...health,
  status: "Disabled",
  disabledAt: at,
  disabledReason: reason,
});
