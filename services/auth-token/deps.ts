/** The parts that the actions of this service share. */
import type { KeyedMutex } from "../../shared/keyed-mutex.ts";
import type { Runtime } from "../../shared/moleculer/runtime.ts";
import type { QuotaLeases } from "../../shared/quota-leases.ts";
import type { FieldCipher } from "../../shared/sealing/field-cipher.ts";
import type { FieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import type { AuditTrail } from "../../shared/stores/audit-trail.repository.ts";
import type { InvitationRepository } from "./account/invitation.repository.ts";
import type { PartnerRepository } from "./account/partner.repository.ts";
import type { PasswordHasher } from "./account/password-hash.ts";
import type { TellStanding } from "./account/tell-standing.ts";
import type { UserRepository } from "./account/user.repository.ts";
import type { CredentialRepository } from "./credential/credential.repository.ts";
import type { RequestLogRepository } from "./request-log/request-log.repository.ts";
import type { AccountHash } from "./session/account-hash.ts";
import type { LoginThrottleRepository } from "./session/login-throttle.repository.ts";
import type { SessionRepository } from "./session/session.repository.ts";
import type { IssuerFacts } from "./token/metadata.rules.ts";
import type { QuotaRepository } from "./token/quota.repository.ts";
import type { SigningKeys } from "./token/signing-keys.ts";
import type { TokenClients } from "./token/token-clients.ts";
import type { UsedAssertionRepository } from "./token/used-assertion.repository.ts";

export type Deps = Pick<Runtime, "config" | "clock" | "logger" | "metrics"> & {
  facts: IssuerFacts;
  cipher: FieldCipher;
  audit: AuditTrail;
  /** The audit logs of the other services. */
  otherTrails: readonly AuditTrail["list"][];
  partners: PartnerRepository;
  credentials: CredentialRepository;
  users: UserRepository;
  invitations: InvitationRepository;
  sessions: SessionRepository;
  throttles: LoginThrottleRepository;
  assertions: UsedAssertionRepository;
  quotas: QuotaRepository;
  keys: SigningKeys;
  sweepFieldKeys: FieldKeySweep;
  clients: TokenClients;
  requestLog: RequestLogRepository;
  tell: TellStanding;
  hasher: PasswordHasher;
  accountHash: AccountHash;
  /** By person and address. */
  mutex: KeyedMutex;
  commonPasswords: ReadonlySet<string>;
  /** Token requests per client and minute. */
  tokenQuota: QuotaLeases;
};
