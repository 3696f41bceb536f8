/** Records the true reason of a refusal where only the partner and the operator see it. */
import { createBatcher } from "../../../shared/batcher.ts";
import type { RefusedClient } from "../credential/credential.repository.ts";
import type { Deps } from "../deps.ts";
import type { AssertionRefused } from "./assertion.rules.ts";

/** Bounds the write that a flood of refusals becomes. */
const MAX_BATCH = 500;

export type RefusalRecorder = ReturnType<typeof createRefusalRecorder>;

export function createRefusalRecorder({
  clock,
  logger,
  metrics,
  clients,
  credentials,
}: Pick<Deps, "clock" | "logger" | "metrics" | "clients" | "credentials">) {
  const refusals = createBatcher<RefusedClient, null>({
    async run(refused) {
      await credentials.addFailures(refused);
      return refused.map(() => null);
    },
    maxBatch: MAX_BATCH,
    maxInFlight: 1,
  });

  return async (refusal: AssertionRefused, claimedClientId: unknown, requestId: string): Promise<void> => {
    const claimed = typeof claimedClientId === "string" ? claimedClientId : null;
    const { reason, message } = refusal;
    metrics.increment("pbo_auth_failures_total", { reason });
    const clientId = claimed?.slice(0, 100) ?? null;
    logger.warn({ requestId, clientId, reason, detail: message }, "token.refused");
    try {
      const client = claimed === null ? null : await clients.find(claimed);
      const failure = { at: new Date(clock.now()), reason, message, requestId };
      if (client) await refusals.add({ credentialId: client.credentialId, failure });
    } catch (err) {
      logger.warn({ err, requestId }, "token_failure.not_recorded");
    }
  };
}
