/** State by which a gateway judges access tokens; as small as the life of a token allows. */
import type { Clock } from "../../../shared/clock.ts";
import { ACCESS_TOKEN_SECONDS } from "../../../shared/contract/durations.ts";
import type { TrustState } from "../../../shared/identity/trust-state.ts";
import type { PartnerRepository } from "../account/partner.repository.ts";
import type { CredentialRepository } from "../credential/credential.repository.ts";
import type { SigningKeys } from "./signing-keys.ts";

type Deps = {
  clock: Clock;
  keys: Pick<SigningKeys, "publicKeys">;
  credentials: Pick<CredentialRepository, "revokedSince" | "certificatesRemovedSince">;
  partners: Pick<PartnerRepository, "deactivatedSince">;
};

/** Older tokens have expired; twice their lifetime leaves room for clocks that differ. */
const LOOK_BACK_MS = 2 * ACCESS_TOKEN_SECONDS * 1_000;

export async function trustState({ clock, keys, credentials, partners }: Deps): Promise<TrustState> {
  const since = new Date(clock.now() - LOOK_BACK_MS);
  const [publicKeys, revokedCredentialIds, removedCertificateIds, inactivePartnerIds] = await Promise.all([
    keys.publicKeys(),
    credentials.revokedSince(since),
    credentials.certificatesRemovedSince(since),
    partners.deactivatedSince(since),
  ]);
  return { keys: publicKeys, revokedCredentialIds, removedCertificateIds, inactivePartnerIds };
}
