/** Keeps the true reason of a refusal with the credential it was meant for; one write at a time per credential. */
import type { Clock } from "../../../shared/clock.ts";
import type { TokenFailure } from "../credential/credential.model.ts";
import { type CredentialRepository, KEPT_FAILURES } from "../credential/credential.repository.ts";
import type { AssertionRefused } from "./assertion.rules.ts";
import type { TokenClients } from "./token-clients.ts";

type Deps = {
  clock: Clock;
  clients: Pick<TokenClients, "find">;
  credentials: Pick<CredentialRepository, "addFailures">;
};

type FailureRecorder = (
  refusal: AssertionRefused,
  claimedClientId: unknown,
  requestId: string,
) => Promise<void>;

/** A flood of refusals becomes one write at a time with the latest ones, not a write each. */
export function createFailureRecorder({ clock, clients, credentials }: Deps): FailureRecorder {
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

  return async (refusal, claimedClientId, requestId) => {
    if (typeof claimedClientId !== "string") return;
    const client = await clients.find(claimedClientId);
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
  };
}
