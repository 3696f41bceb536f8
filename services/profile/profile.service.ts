/** Business customers with their people, the review of them, and the rules of each country. */

import { deadLetters } from "../../shared/jetstream/dead-letters.ts";
import { STREAMS } from "../../shared/jetstream/streams.ts";
import { createKeyedMutex } from "../../shared/keyed-mutex.ts";
import { createKeysInHand } from "../../shared/keys-in-hand.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { callerFor } from "../../shared/moleculer/typed-actions.ts";
import { collectionOf } from "../../shared/mongo/mongo.ts";
import { createOutbox, type Outbox } from "../../shared/outbox/outbox.ts";
import { partitionTableRepository } from "../../shared/partitions/partition-table.repository.ts";
import { createPartitions } from "../../shared/partitions/partitions.ts";
import { createFieldCipher } from "../../shared/sealing/field-cipher.ts";
import { createFieldKeySweep } from "../../shared/sealing/field-key-sweep.ts";
import { auditTrail } from "../../shared/stores/audit-trail.repository.ts";
import { caseActions } from "./case.actions.ts";
import { COLLECTIONS } from "./collections.ts";
import { configActions } from "./config.actions.ts";
import { countryConfigRepository } from "./country/country-config.repository.ts";
import { createCountryConfigs } from "./country/country-configs.ts";
import type { Deps } from "./deps.ts";
import { internalActions } from "./internal.actions.ts";
import { partnerActions } from "./partner.actions.ts";
import { caseRepository } from "./record/case.repository.ts";
import { erasureRepository } from "./record/erasure.repository.ts";
import { profileRepository } from "./record/profile.repository.ts";
import { createSandboxSweep } from "./review/sandbox-sweep.ts";
import { createErasureSweep } from "./upkeep/erasure-sweep.ts";
import { createLeftoversSweep } from "./upkeep/leftovers-sweep.ts";
import { sealedCustomers } from "./upkeep/sealed-customers.ts";

/** Broadcast to every instance when an operator changed a country. */
const CONFIG_CHANGED = "country-config.changed";
/** Renewed three times a lease: often enough to be the beat by which readiness knows that the database takes writes. */
const DUTY_LEASE_MS = 9_000;

export default defineService("profile", (runtime, broker) => {
  const { config, clock, lanes, logger, mongo } = runtime;
  const profiles = profileRepository(mongo.connection);
  // A single partition: its owner reports for all where each would count the same.
  const duty = createPartitions({
    ...runtime,
    ...{ me: broker.nodeID, count: 1, leaseMs: DUTY_LEASE_MS },
    table: partitionTableRepository(mongo.connection, 1),
    prepare: async () => undefined,
    onHeld: () => undefined,
    onGiven: () => undefined,
  });
  const outbox: Outbox = createOutbox({
    ...runtime,
    isReporter: () => duty.epoch(0) !== null,
    source: "profile",
    collection: profiles.collection as never,
    deadLetters: deadLetters(collectionOf(mongo.connection, COLLECTIONS.deadLetters), clock),
  });
  const call = callerFor("profile", broker);
  const cipher = createFieldCipher(config.identityKeys);
  const deps: Deps = {
    profiles,
    cases: caseRepository(mongo.connection),
    erasures: erasureRepository(mongo.connection),
    countries: createCountryConfigs({
      repository: countryConfigRepository(mongo.connection),
      clock,
      lanes,
      logger,
      changed: () => void broker.broadcast(CONFIG_CHANGED),
    }),
    cipher,
    sweepFieldKeys: createFieldKeySweep({ cipher, logger, stores: [sealedCustomers(profiles, cipher)] }),
    clock,
    logger,
    outbox,
    audit: auditTrail(mongo.connection, {
      service: "profile",
      clock,
      keys: config.identityKeys,
      retentionDays: config.auditRetentionDays,
    }),
    keysInHand: createKeysInHand(),
    mutex: createKeyedMutex(),
    eraseDocuments: (customerId) => call("document.eraseForCustomer", { customerId }),
    // A list without names is better than none.
    partnerNames: (partnerIds) =>
      call("auth-token.partnerNames", { partnerIds: [...new Set(partnerIds)] }).then(
        ({ names }) => names,
        (err: unknown) => {
          logger.warn({ err }, "partner_names.not_told");
          return {};
        },
      ),
    signViewLink: (request) => call("document.signViewLink", request),
    confirmDocuments: (request, meta) => call("document.confirmForCustomer", request, { meta }),
  };

  const sandboxSweep = createSandboxSweep({ ...deps, config, lanes });
  const erasureSweep = createErasureSweep({ ...deps, config, lanes });
  const isMine = () => duty.epoch(0) !== null;
  const leftoversSweep = createLeftoversSweep({ ...deps, isMine, config, lanes });

  return {
    actions: {
      ...partnerActions(deps, runtime),
      ...caseActions(deps),
      ...configActions(deps),
      ...internalActions(deps),
    },
    events: { [CONFIG_CHANGED]: () => deps.countries.load() },
    streams: [STREAMS.EVENTS],
    collections: COLLECTIONS,
    wroteAt: duty.renewedAt,
    async start() {
      await deps.countries.start();
      await duty.start();
      outbox.start();
      erasureSweep.start(config.erasureSweepMs);
      leftoversSweep.start(config.erasureSweepMs);
      sandboxSweep.start();
    },
    async stop() {
      const loops = [deps.countries, erasureSweep, leftoversSweep, sandboxSweep, outbox, duty];
      await Promise.all(loops.map((each) => each.stop()));
    },
  };
});
