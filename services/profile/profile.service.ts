/** Business customers with their people, the review of them, and the rules of each country. */

import { STREAMS } from "../../shared/jetstream/streams.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { partitionTableRepository } from "../../shared/partitions/partition-table.repository.ts";
import { createPartitions } from "../../shared/partitions/partitions.ts";
import { caseActions } from "./case.actions.ts";
import { COLLECTIONS } from "./collections.ts";
import { configActions } from "./config.actions.ts";
import { CONFIG_CHANGED, createDeps } from "./deps.ts";
import { internalActions } from "./internal.actions.ts";
import { partnerActions } from "./partner.actions.ts";
import { createSandboxSweep } from "./review/sandbox-sweep.ts";
import { createErasureSweep } from "./upkeep/erasure-sweep.ts";
import { createLeftoversSweep } from "./upkeep/leftovers-sweep.ts";

/** Renewed three times per lease: more often than the pulse beats, so the renewals replace its beats. */
const DUTY_LEASE_MS = 7_500;

export default defineService("profile", (runtime, broker) => {
  const { config, mongo } = runtime;
  // A single partition: its owner does what one process is enough for.
  const duty = createPartitions({
    ...runtime,
    ...{ me: broker.nodeID, count: 1, leaseMs: DUTY_LEASE_MS },
    table: partitionTableRepository(mongo.connection, 1),
    prepare: async () => undefined,
    onHeld: () => undefined,
    onGiven: () => undefined,
  });
  const deps = createDeps(runtime, broker, () => duty.epoch(0) !== null);
  const { countries, outbox } = deps;
  const sandboxSweep = createSandboxSweep(deps);
  const erasureSweep = createErasureSweep(deps);
  const leftoversSweep = createLeftoversSweep(deps);

  return {
    actions: {
      ...partnerActions(deps, runtime),
      ...caseActions(deps),
      ...configActions(deps),
      ...internalActions(deps),
    },
    events: { [CONFIG_CHANGED]: () => countries.load() },
    streams: [STREAMS.EVENTS],
    collections: COLLECTIONS,
    wroteAt: duty.renewedAt,
    async start() {
      await countries.start();
      await duty.start();
      outbox.start();
      erasureSweep.start(config.erasureSweepMs);
      leftoversSweep.start(config.erasureSweepMs);
      sandboxSweep.start();
    },
    async stop() {
      const loops = [countries, erasureSweep, leftoversSweep, sandboxSweep, outbox, duty];
      await Promise.all(loops.map((each) => each.stop()));
    },
  };
});
