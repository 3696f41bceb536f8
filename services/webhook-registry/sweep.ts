/** Disables endpoints that fail for too long, and drops expired secrets. */
import { type Lanes, LONG_ROUND_MS } from "../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../shared/poll-loop.ts";
import { changeEndpoint } from "./change-endpoint.ts";
import type { Deps } from "./deps.ts";
import { disableWhenOverdue } from "./health.rules.ts";
import { healthChange, logTransition } from "./report-health.ts";
import { withoutExpired } from "./secret.rules.ts";

export const createEndpointSweep = (deps: Deps, lanes: Pick<Lanes, "lane">, everyMs: number): PollLoop =>
  createPollLoop({
    lane: lanes.lane("endpoint sweep", LONG_ROUND_MS),
    everyMs,
    async round() {
      const now = new Date(deps.clock.now());
      await disableOverdue(deps, now);
      await dropExpiredSecrets(deps, now);
    },
    onError: (err) => deps.logger.warn({ err }, "endpoints.sweep_failed"),
  });

async function disableOverdue(deps: Deps, now: Date): Promise<void> {
  const limit = new Date(now.getTime() - deps.thresholds.disabledAfterMs);
  for (const { partnerId } of await deps.endpoints.findDegradedSince(limit)) {
    const { before, after } = await changeEndpoint(deps, partnerId, (endpoint) =>
      healthChange(endpoint, disableWhenOverdue(endpoint, now, deps.thresholds)),
    );
    if (before.status !== after.status) logTransition(deps, after, before.status);
  }
}

async function dropExpiredSecrets(deps: Deps, now: Date): Promise<void> {
  for (const { partnerId } of await deps.endpoints.findWithExpiredSecrets(now))
    await changeEndpoint(deps, partnerId, ({ secrets }) => {
      const kept = withoutExpired(secrets, now);
      return kept.length === secrets.length ? null : { secrets: kept };
    });
}
