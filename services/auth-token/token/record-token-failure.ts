/** Records the true reason of a refusal where only the partner and the operator see it. */
import type { Runtime } from "../../../shared/moleculer/runtime.ts";
import type { TokenFailure } from "../credential/credential.model.ts";
import { type CredentialRepository, KEPT_FAILURES } from "../credential/credential.repository.ts";
import type { AssertionRefused } from "./assertion.rules.ts";
import type { TokenClients } from "./token-clients.ts";

type Deps = Pick<Runtime, "clock" | "logger" | "metrics"> & {
  clients: Pick<TokenClients, "find">;
  credentials: Pick<CredentialRepository, "addFailures">;
};

export type RefusalRecorder = (
  refusal: AssertionRefused,
  claimedClientId: unknown,
  requestId: string,
) => Promise<void>;

/** A flood of refusals becomes one write at a time per credential, with the latest refusals. */
export function createRefusalRecorder({
  clock,
  logger,
  metrics,
  clients,
  credentials,
}: Deps): RefusalRecorder {
  const pending = new Map<string, TokenFailure[]>();
  const writing = new Map<string, Promise<void>>();

  async function writeAll(credentialId: string): Promise<void> {
    try {
      for (let batch = take(credentialId); batch.length > 0; batch = take(credentialId))
        await credentials.addFailures(credentialId, batch);
    } finally {
      // In the same turn as the last take: a later failure starts a write of its own.
      writing.delete(credentialId);
    }
  }

  function take(credentialId: string): TokenFailure[] {
    const batch = pending.get(credentialId) ?? [];
    pending.delete(credentialId);
    return batch;
  }

  async function store(refusal: AssertionRefused, clientId: string, requestId: string): Promise<void> {
    const client = await clients.find(clientId);
    if (!client) return;
    const { credentialId } = client;
    const failure = {
      at: new Date(clock.now()),
      reason: refusal.reason,
      message: refusal.message,
      requestId,
    };
    pending.set(credentialId, [...(pending.get(credentialId) ?? []), failure].slice(-KEPT_FAILURES));
    const write = writing.get(credentialId) ?? writeAll(credentialId);
    writing.set(credentialId, write);
    await write;
  }

  return async (refusal, claimedClientId, requestId) => {
    const claimed = typeof claimedClientId === "string" ? claimedClientId : null;
    const { reason, message: detail } = refusal;
    metrics.increment("pbo_auth_failures_total", { reason });
    logger.warn({ requestId, clientId: claimed?.slice(0, 100) ?? null, reason, detail }, "token.refused");
    if (claimed !== null)
      await store(refusal, claimed, requestId).catch((err) =>
        logger.warn({ err, requestId }, "token_failure.not_recorded"),
      );
  };
}
