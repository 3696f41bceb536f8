/** The parts that the actions of this service share. */
import type { PartnerStanding } from "../../shared/contract/actions/auth-token.ts";
import type { KeyedMutex } from "../../shared/keyed-mutex.ts";
import type { ServiceRuntime } from "../../shared/moleculer/service.ts";
import type { QuotaLeases } from "../../shared/quota-leases.ts";
import type { FieldCipher } from "../../shared/sealing/field-cipher.ts";
import type { FieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import type { AuditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { invitationRepository } from "./account/invitation.repository.ts";
import type { StandingService } from "./account/partner.model.ts";
import { partnerRepository } from "./account/partner.repository.ts";
import type { PasswordHasher } from "./account/password-hash.ts";
import { userRepository } from "./account/user.repository.ts";
import { credentialRepository } from "./credential/credential.repository.ts";
import { requestLogRepository } from "./request-log/request-log.repository.ts";
import { loginThrottleRepository } from "./session/login-throttle.repository.ts";
import { sessionRepository } from "./session/session.repository.ts";
import type { IssuerFacts } from "./token/metadata.rules.ts";
import { quotaRepository } from "./token/quota.repository.ts";
import { signingKeyRepository } from "./token/signing-key.repository.ts";
import type { SigningKeys } from "./token/signing-keys.ts";
import type { TokenClients } from "./token/token-clients.ts";
import { usedAssertionRepository } from "./token/used-assertion.repository.ts";

export const createStores = ({ mongo: { connection } }: Pick<ServiceRuntime, "mongo">) => ({
  partners: partnerRepository(connection),
  credentials: credentialRepository(connection),
  users: userRepository(connection),
  invitations: invitationRepository(connection),
  sessions: sessionRepository(connection),
  throttles: loginThrottleRepository(connection),
  assertions: usedAssertionRepository(connection),
  quotas: quotaRepository(connection),
  signingKeys: signingKeyRepository(connection),
  requestLog: requestLogRepository(connection),
});

export type Deps = Pick<ServiceRuntime, "config" | "clock" | "logger" | "metrics"> &
  ReturnType<typeof createStores> & {
    facts: IssuerFacts;
    cipher: FieldCipher;
    audit: AuditTrail;
    /** The audit logs of the other services. */
    otherTrails: readonly AuditTrail["list"][];
    keys: SigningKeys;
    sweepFieldKeys: FieldKeySweep;
    clients: TokenClients;
    report: Record<StandingService, (standing: PartnerStanding) => Promise<unknown>>;
    hasher: PasswordHasher;
    accountHash(email: string): string;
    /** By person and address. */
    mutex: KeyedMutex;
    commonPasswords: ReadonlySet<string>;
    /** Token requests per client and minute. */
    tokenQuota: QuotaLeases;
  };
