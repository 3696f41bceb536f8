/** Decides test customers by their company name. It reads due customers from the database, so a restart loses nothing. */
import { LONG_ROUND_MS } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import { changeProfile } from "../change/change-profile.ts";
import type { Deps } from "../deps.ts";
import { findOwnProfile } from "../read/get-profile.ts";
import type { Profile } from "../record/profile.types.ts";
import { outcomeByName, SELF_DECIDING_KEYS, SIMULATED_CHANGES, SIMULATED_REASONS } from "./sandbox.rules.ts";
import { simulated } from "./simulate-review.ts";

const EVERY_MS = 1_000;
const BATCH = 50;

export function createSandboxSweep(deps: Deps): PollLoop {
  return createPollLoop({
    lane: deps.lanes.lane("sandbox", LONG_ROUND_MS),
    everyMs: EVERY_MS,
    async round() {
      if (!deps.isMine()) return false;
      const until = new Date(deps.clock.now() - deps.config.sandboxDecisionMs).toISOString();
      const due = await deps.profiles.selfDeciding(SELF_DECIDING_KEYS, until, BATCH);
      for (const profile of due)
        await decideByName(deps, profile).catch((err) =>
          deps.logger.warn({ err, customerId: profile._id }, "sandbox.decision_failed"),
        );
      return due.length === BATCH;
    },
    onError: (err) => deps.logger.warn({ err }, "sandbox.sweep_failed"),
  });
}

const origin = {
  requestId: "sandbox",
  correlationId: "sandbox",
  traceparent: null,
  actor: { kind: "system", id: "sandbox" },
} as const;

/** Another process may have been faster: then there is nothing to decide. */
function decideByName(deps: Deps, { _id: customerId, partnerId }: Profile): Promise<void> {
  return changeProfile(deps, {
    customerId,
    origin,
    read: () => findOwnProfile(deps, partnerId, customerId),
    decide(profile, at) {
      const outcome = outcomeByName(profile);
      const isDue = outcome !== null && profile.isTest && profile.reviewStage === "Queued";
      if (!isDue) return { after: null, facts: [], action: "simulate", answer: () => undefined };
      const simulation = { outcome, reasons: SIMULATED_REASONS, requested: SIMULATED_CHANGES, documents: [] };
      const { after, facts } = simulated(deps, profile, simulation, at);
      return { after, facts, action: "simulate", detail: { outcome }, answer: () => undefined };
    },
  });
}
