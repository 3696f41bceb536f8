/** Partners, their API clients, people and sessions; issues access tokens. */

import { createKeyedMutex } from "../../shared/keyed-mutex.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import { createQuotaLeases } from "../../shared/quota-leases.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { auditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { readCommonPasswords } from "./account/common-passwords.ts";
import { invitationRepository } from "./account/invitation.repository.ts";
import { partnerRepository } from "./account/partner.repository.ts";
import { createPasswordHasher } from "./account/password-hash.ts";
import { tellStandings } from "./account/tell-standing.ts";
import { userRepository } from "./account/user.repository.ts";
import { accountActions } from "./account.actions.ts";
import { adminActions } from "./admin.actions.ts";
import { auditActions } from "./audit.actions.ts";
import { COLLECTIONS } from "./collections.ts";
import { credentialRepository } from "./credential/credential.repository.ts";
import { credentialActions } from "./credential.actions.ts";
import type { Deps } from "./deps.ts";
import { loggedTrail } from "./logged-trail.ts";
import { requestLogRepository } from "./request-log/request-log.repository.ts";
import { requestLogActions } from "./request-log.actions.ts";
import { sandboxActions } from "./sandbox.actions.ts";
import { createAccountHash } from "./session/account-hash.ts";
import { loginThrottleRepository } from "./session/login-throttle.repository.ts";
import { sealedSecondFactors } from "./session/sealed-second-factors.ts";
import { sessionRepository } from "./session/session.repository.ts";
import { sessionActions } from "./session.actions.ts";
import { teamActions } from "./team.actions.ts";
import { issuerFacts } from "./token/metadata.rules.ts";
import { quotaRepository } from "./token/quota.repository.ts";
import { signingKeyRepository } from "./token/signing-key.repository.ts";
import { createSigningKeys, sealedSigningKeys } from "./token/signing-keys.ts";
import { createTokenClients } from "./token/token-clients.ts";
import { usedAssertionRepository } from "./token/used-assertion.repository.ts";
import { tokenActions } from "./token.actions.ts";

const KEY_MAINTENANCE_MS = 60_000;
const TELL_AGAIN_MS = 2_000;

export default defineService("auth-token", (runtime, broker) => {
  const { config, clock, lanes, logger, metrics, mongo } = runtime;
  const stores = {
    partners: partnerRepository(mongo.connection),
    credentials: credentialRepository(mongo.connection),
    users: userRepository(mongo.connection),
    invitations: invitationRepository(mongo.connection),
    sessions: sessionRepository(mongo.connection),
    throttles: loginThrottleRepository(mongo.connection),
    assertions: usedAssertionRepository(mongo.connection),
    quotas: quotaRepository(mongo.connection),
    signingKeys: signingKeyRepository(mongo.connection),
    requestLog: requestLogRepository(mongo.connection),
  };
  const clients = createTokenClients({ clock, ...stores });
  const trail = auditTrail(mongo.connection, {
    service: "auth-token",
    clock,
    keys: config.tokenKeys,
    retentionDays: config.auditRetentionDays,
  });
  const cipher = createFieldCipher(config.tokenKeys);
  const call = callerFor("auth-token", broker);
  const deps: Deps = {
    ...stores,
    cipher,
    config,
    clock,
    logger,
    metrics,
    facts: issuerFacts(config.baseUrl),
    hasher: createPasswordHasher(config.passwordMemoryKib),
    accountHash: createAccountHash(config.tokenKeys),
    mutex: createKeyedMutex(),
    commonPasswords: readCommonPasswords(),
    // Every store of values sealed with these keys belongs in this list, or an old key can never be removed.
    sweepFieldKeys: createFieldKeySweep({
      cipher,
      logger,
      stores: [sealedSigningKeys(stores.signingKeys, cipher), sealedSecondFactors(stores.users, cipher)],
    }),
    clients,
    audit: loggedTrail(trail, { logger, clients }),
    otherTrails: [
      async (query) => (await call("webhook-registry.auditEntries", query)).items,
      async (query) => (await call("delivery.auditEntries", query)).items,
      async (query) => (await call("profile.auditEntries", query)).items,
    ],
    tell: {
      "webhook-registry": (standing) => call("webhook-registry.setPartnerStanding", standing),
      document: (standing) => call("document.setPartnerStanding", standing),
    },
    tokenQuota: createQuotaLeases({ clock, lease: stores.quotas.lease }),
    keys: createSigningKeys({
      keys: stores.signingKeys,
      cipher,
      clock,
      logger,
      keyDays: config.signingKeyDays,
    }),
  };
  const keyMaintenance = createPollLoop({
    lane: lanes.lane("signing keys"),
    round: deps.keys.maintain,
    everyMs: KEY_MAINTENANCE_MS,
    onError: (err) => logger.warn({ err }, "signing_key.maintenance_failed"),
  });
  const telling = createPollLoop({
    lane: lanes.lane("partner standings"),
    round: () => tellStandings(deps),
    everyMs: TELL_AGAIN_MS,
    onError: (err) => logger.warn({ err }, "partner.standings_not_told"),
  });

  return {
    actions: {
      ...tokenActions(deps),
      ...sessionActions(deps),
      ...accountActions(deps),
      ...credentialActions(deps),
      ...teamActions(deps),
      ...sandboxActions(deps),
      ...auditActions(deps),
      ...requestLogActions(deps),
      ...adminActions(deps),
    },
    collections: COLLECTIONS,
    async start() {
      await deps.keys.maintain();
      keyMaintenance.start(KEY_MAINTENANCE_MS);
      telling.start(TELL_AGAIN_MS);
    },
    async stop() {
      await Promise.all([keyMaintenance.stop(), telling.stop()]);
      await deps.tokenQuota.close();
    },
  };
});
