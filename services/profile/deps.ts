/** Dependencies of this service's actions and sweeps. */

import type { ServiceBroker } from "moleculer";
import type { ConfirmRequest } from "../../shared/contract/actions/document.ts";
import type { CallMeta } from "../../shared/identity/caller.ts";
import { deadLetters } from "../../shared/jetstream/dead-letters.ts";
import { createKeyedMutex } from "../../shared/keyed-mutex.ts";
import { createKeysInUse } from "../../shared/keys-in-use.ts";
import type { ServiceRuntime } from "../../shared/moleculer/service.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import { collectionOf } from "../../shared/mongo/mongo.ts";
import { createOutbox } from "../../shared/outbox/outbox.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { auditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { sealedCustomers } from "./change/customer-key.ts";
import { COLLECTIONS } from "./collections.ts";
import { countryConfigRepository } from "./country/country-config.repository.ts";
import { createCountryConfigs } from "./country/country-configs.ts";
import { caseRepository } from "./record/case.repository.ts";
import { erasureRepository } from "./record/erasure.repository.ts";
import { profileRepository } from "./record/profile.repository.ts";

/** Broadcast to every instance when an operator changed a country. */
export const CONFIG_CHANGED = "country-config.changed";

export type Deps = ReturnType<typeof createDeps>;

/** `isMine`: whether this process does the work of which one process is enough. */
export function createDeps(runtime: ServiceRuntime, broker: ServiceBroker, isMine: () => boolean) {
  const { config, clock, lanes, logger, mongo } = runtime;
  const { connection } = mongo;
  const profiles = profileRepository(connection);
  const call = callerFor("profile", broker);
  const cipher = createFieldCipher(config.identityKeys);
  return {
    config,
    clock,
    lanes,
    logger,
    isMine,
    profiles,
    cases: caseRepository(connection),
    erasures: erasureRepository(connection),
    countries: createCountryConfigs({
      repository: countryConfigRepository(connection),
      clock,
      lanes,
      logger,
      changed: () => void broker.broadcast(CONFIG_CHANGED),
    }),
    cipher,
    sweepFieldKeys: createFieldKeySweep({ cipher, logger, stores: [sealedCustomers(profiles, cipher)] }),
    outbox: createOutbox({
      ...runtime,
      isReporter: isMine,
      source: "profile",
      collection: profiles.collection as never,
      deadLetters: deadLetters(collectionOf(connection, COLLECTIONS.deadLetters), clock),
    }),
    audit: auditTrail(connection, {
      service: "profile",
      clock,
      keys: config.identityKeys,
      retentionDays: config.auditRetentionDays,
    }),
    keysInUse: createKeysInUse(),
    /** By customer id. */
    mutex: createKeyedMutex(),
    /** Can be repeated. */
    eraseDocuments: (customerId: string) => call("document.eraseForCustomer", { customerId }),
    /** A list without names is better than none. */
    partnerNames: (partnerIds: readonly string[]): Promise<Readonly<Record<string, string>>> =>
      call("auth-token.partnerNames", { partnerIds: [...new Set(partnerIds)] }).then(
        ({ names }) => names,
        (err: unknown) => {
          logger.warn({ err }, "partner_names.not_read");
          return {};
        },
      ),
    signViewLink: (request: { customerId: string; documentId: string }) =>
      call("document.signViewLink", request),
    confirmDocuments: (request: ConfirmRequest, meta: CallMeta) =>
      call("document.confirmForCustomer", request, { meta }),
  };
}
