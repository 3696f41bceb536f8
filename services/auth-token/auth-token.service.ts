/** Partners, their API clients, people and sessions; issues access tokens. */

import { createKeyedMutex } from "../../shared/keyed-mutex.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import { createPollLoop } from "../../shared/poll-loop.ts";
import { createQuotaLeases } from "../../shared/quota-leases.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { type AuditTrail, auditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { readCommonPasswords } from "./account/common-passwords.ts";
import { createPasswordHasher } from "./account/password-hash.ts";
import { reportStandings } from "./account/report-standing.ts";
import { accountActions } from "./account.actions.ts";
import { adminActions } from "./admin.actions.ts";
import { auditActions } from "./audit.actions.ts";
import { COLLECTIONS } from "./collections.ts";
import { credentialActions } from "./credential.actions.ts";
import { createStores, type Deps } from "./deps.ts";
import { requestLogActions } from "./request-log.actions.ts";
import { sandboxActions } from "./sandbox.actions.ts";
import { createAccountHash } from "./session/account-hash.ts";
import { sealedSecondFactors } from "./session/second-factor.ts";
import { sessionActions } from "./session.actions.ts";
import { teamActions } from "./team.actions.ts";
import { issuerFacts } from "./token/metadata.rules.ts";
import { createSigningKeys, sealedSigningKeys } from "./token/signing-keys.ts";
import { createTokenClients } from "./token/token-clients.ts";
import { tokenActions } from "./token.actions.ts";

const KEY_MAINTENANCE_MS = 60_000;
const REPORT_AGAIN_MS = 2_000;

export default defineService("auth-token", (runtime, broker) => {
  const { config, clock, lanes, logger, metrics, mongo } = runtime;
  const stores = createStores(runtime);
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
    audit: withLog(trail, { logger, clients }),
    otherTrails: [
      async (query) => (await call("webhook-registry.auditEntries", query)).items,
      async (query) => (await call("delivery.auditEntries", query)).items,
      async (query) => (await call("profile.auditEntries", query)).items,
    ],
    report: {
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
  const reporting = createPollLoop({
    lane: lanes.lane("partner standings"),
    round: () => reportStandings(deps),
    everyMs: REPORT_AGAIN_MS,
    onError: (err) => logger.warn({ err }, "partner.standings_not_reported"),
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
      reporting.start(REPORT_AGAIN_MS);
    },
    async stop() {
      await Promise.all([keyMaintenance.stop(), reporting.stop()]);
      await deps.tokenQuota.close();
    },
  };
});

/** A stored change is also logged and takes effect immediately in this process. */
const withLog = (trail: AuditTrail, { logger, clients }: Pick<Deps, "logger" | "clients">): AuditTrail => ({
  ...trail,
  async change(meta, work) {
    const { value, fact } = await trail.change(meta, async (session) => {
      const done = await work(session);
      return { value: done, fact: done.fact };
    });
    if (fact) {
      clients.forget();
      const { requestId, operator, caller = null } = meta;
      const userId = caller && "userId" in caller ? caller.userId : undefined;
      const { action, partnerId, subject } = fact;
      logger.info({ requestId, operator, partnerId, userId, recordId: subject }, action);
    }
    return value;
  },
});
