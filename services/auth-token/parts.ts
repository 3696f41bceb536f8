/** What the actions of this service are made of. */

import type { QuotaLeases } from "../../shared/quota-leases.ts";
import type { Runtime } from "../../shared/runtime.ts";
import type { CredentialRepository } from "./credential.repository.ts";
import type { IssuerFacts } from "./issue-token.ts";
import type { LoginThrottleRepository } from "./login-throttle.repository.ts";
import type { PartnerRepository } from "./partner.repository.ts";
import type { PasswordHasher } from "./password-hash.ts";
import type { QuotaRepository } from "./quota.repository.ts";
import type { SessionRepository } from "./session.repository.ts";
import type { SigningKeys } from "./signing-keys.ts";
import type { TokenClients } from "./token-clients.ts";
import type { UsedAssertionRepository } from "./used-assertion.repository.ts";
import type { UserRepository } from "./user.repository.ts";

export type Parts = Pick<Runtime, "config" | "clock" | "logger" | "metrics"> & {
  facts: IssuerFacts;
  partners: PartnerRepository;
  credentials: CredentialRepository;
  users: UserRepository;
  sessions: SessionRepository;
  throttles: LoginThrottleRepository;
  assertions: UsedAssertionRepository;
  quotas: QuotaRepository;
  keys: SigningKeys;
  clients: TokenClients;
  hasher: PasswordHasher;
  commonPasswords: ReadonlySet<string>;
  /** Token requests per client and minute. */
  tokenQuota: QuotaLeases;
};
