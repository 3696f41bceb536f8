/** A full create over HTTP, until its events are recorded and confirmed, against the database alone. */
import { createBatcher } from "../../../shared/batcher.ts";
import { orderedId } from "../../../shared/ids.ts";
import { databaseName, insertNew } from "../../../shared/mongo/mongo.ts";
import { aProfile, aReference } from "../../support/builders/profile-builders.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { BenchEnv } from "../frame/env.ts";
import { UNIQUE } from "../frame/http-load.ts";
import { runInFlight } from "../frame/in-flight.ts";
import { requireBalance } from "../frame/ledger.rules.ts";
import type { BenchSpec, FloorFacts, Workload } from "../frame/spec.ts";
import { openProfilePath, PROFILES, type ProfilePath } from "./profile-path.ts";

const EACH: FloorFacts = {
  name: "driver insertOne, majority and journaled",
  fairBecause:
    "the same document, indexes and write concern; no HTTP, no checks, no event recorded or confirmed, and a write each, where the service gathers those that come together",
  goals: [{ measure: "rate", atLeast: 0.8 }],
};
const GATHERED: FloorFacts = {
  name: "driver insertMany, gathered as the service does",
  fairBecause: "the same again, with the service's batches; what is left is HTTP, checks and events",
  goals: [{ measure: "rate" }],
};
/** As the service writes. */
const BATCHES = { maxInFlight: 2, maxBatch: 100, gatherIn: "microtask" } as const;
/** The customer's and one for each of its people. */
const EVENTS = 4;

export const bench: BenchSpec = {
  name: "create a business with 3 people and 6 identities",
  issue: 4,
  hotPath: "rate",
  async setup(env) {
    const path = await openProfilePath(env);
    // Its outbox stays full, because the delivery service is not there yet.
    const document = await path.createOne(aProfile());
    for (const name of ["webhook-registry", "delivery"] as const)
      await env.startService(name, { settings: { PBO_LOG_LEVEL: "warn" } });

    const floor = path.connection.collection<typeof document>("floor");
    const indexes = (await path.profiles.indexes()).filter(({ name }) => name !== "_id_");
    await floor.createIndexes(indexes as Parameters<typeof floor.createIndexes>[0]);
    const next = (): typeof document => ({
      ...document,
      _id: orderedId(Date.now()),
      partnerCustomerId: aReference(),
      outbox: document.outbox.map((entry) => ({ ...entry, eventId: orderedId(Date.now()) })),
    });
    const run = async (profiles: readonly (typeof document)[]) => {
      await insertNew(floor, profiles);
      return profiles.map(() => undefined);
    };
    const batches = createBatcher<typeof document, void>({ run, ...BATCHES });
    const insertOne = async () => void (await floor.insertOne(next()));
    const insertMany = () => batches.add(next());
    return {
      workload: { name: "create, events confirmed", run: createAll(env, path) },
      floors: [
        { ...EACH, run: (window) => runInFlight(window, insertOne) },
        { ...GATHERED, run: (window) => runInFlight(window, insertMany) },
      ],
    };
  },
};

/** The round ends when the delivery service has recorded each event and the outboxes are empty again. */
function createAll(env: BenchEnv, { url, headers, connection, profiles }: ProfilePath): Workload["run"] {
  const body = aProfile({ partnerCustomerId: `bench-${UNIQUE}` });
  const create = env.http({
    url,
    requests: async () => [{ method: "POST", path: PROFILES, headers: await headers(), body }],
  });
  const events = connection.useDb(databaseName(env.namespace, "delivery")).collection("events");
  const unconfirmed = { "outbox.eventId": { $exists: true } };
  const untilConfirmed = () =>
    waitFor(async () => (await profiles.findOne(unconfirmed, { projection: { _id: 1 } })) === null, {
      what: "each event confirmed",
      everyMs: 20,
    });
  return async (window) => {
    await untilConfirmed();
    const before = await events.estimatedDocumentCount();
    const sample = await create(window);
    const createdAt = performance.now();
    await untilConfirmed();
    const elapsedMs = sample.elapsedMs + performance.now() - createdAt;
    const published = sample.count * EVENTS;
    const received = (await events.estimatedDocumentCount()) - before;
    const ledger = requireBalance({ published, received, missing: Math.max(0, published - received) });
    return { ...sample, elapsedMs, ledger };
  };
}
