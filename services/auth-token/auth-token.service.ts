/** Partners, their API clients, people and sessions; issues access tokens. */
import { createFieldCipher } from "../../shared/field-cipher.ts";
import { createQuotaLeases } from "../../shared/quota-leases.ts";
import { defineService } from "../../shared/service.ts";
import { adminActions } from "./admin.actions.ts";
import { readCommonPasswords } from "./common-passwords.ts";
import { credentialActions } from "./credential.actions.ts";
import { credentialRepository } from "./credential.repository.ts";
import { loginThrottleRepository } from "./login-throttle.repository.ts";
import { issuerFacts } from "./metadata.rules.ts";
import { partnerRepository } from "./partner.repository.ts";
import { createPasswordHasher } from "./password-hash.ts";
import { quotaRepository } from "./quota.repository.ts";
import { sessionActions } from "./session.actions.ts";
import { sessionRepository } from "./session.repository.ts";
import { signingKeyRepository } from "./signing-key.repository.ts";
import { createSigningKeys } from "./signing-keys.ts";
import { tokenActions } from "./token.actions.ts";
import { createTokenClients } from "./token-clients.ts";
import { usedAssertionRepository } from "./used-assertion.repository.ts";
import { userRepository } from "./user.repository.ts";

const KEY_MAINTENANCE_MS = 60_000;

export default defineService("auth-token", (runtime) => {
  const { config, clock, logger, metrics, mongo } = runtime;
  const stores = {
    partners: partnerRepository(mongo.connection),
    credentials: credentialRepository(mongo.connection),
    users: userRepository(mongo.connection),
    sessions: sessionRepository(mongo.connection),
    throttles: loginThrottleRepository(mongo.connection),
    assertions: usedAssertionRepository(mongo.connection),
    quotas: quotaRepository(mongo.connection),
    signingKeys: signingKeyRepository(mongo.connection),
  };
  const cipher = createFieldCipher(config.fieldKeys);
  const parts = {
    ...stores,
    config,
    clock,
    logger,
    metrics,
    facts: issuerFacts(config.baseUrl),
    hasher: createPasswordHasher(),
    commonPasswords: readCommonPasswords(),
    clients: createTokenClients({ clock, ...stores }),
    tokenQuota: createQuotaLeases({ clock, lease: stores.quotas.lease }),
    keys: createSigningKeys({
      keys: stores.signingKeys,
      cipher,
      clock,
      logger,
      keyDays: config.signingKeyDays,
    }),
  };
  const maintainKeys = (): void =>
    void parts.keys.maintain().catch((err) => logger.warn({ err }, "signing_key.maintenance_failed"));
  let timer: NodeJS.Timeout | undefined;

  return {
    actions: {
      ...tokenActions(parts),
      ...sessionActions(parts),
      ...credentialActions(parts),
      ...adminActions(parts),
    },
    ensureIndexes: async () => {
      await Promise.all(Object.values(stores).map((store) => store.ensureIndexes()));
    },
    async start() {
      await parts.keys.maintain();
      timer = setInterval(maintainKeys, KEY_MAINTENANCE_MS);
    },
    async stop() {
      clearInterval(timer);
      await parts.tokenQuota.close();
    },
  };
});
