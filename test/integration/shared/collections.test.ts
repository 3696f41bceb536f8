/** Declared collections on a real MongoDB: compared, created, refused, under load, and by the operator's command. */
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Connection } from "mongoose";
import { connect } from "nats";
import { migrate } from "../../../deploy/lib/migrate.ts";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { historyRepository } from "../../../services/delivery/history/history.repository.ts";
import { parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import { deliveryRepository } from "../../../services/delivery/records/delivery.repository.ts";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { loadConfig, SERVICE_NAMES } from "../../../shared/config/config.ts";
import { orderedId } from "../../../shared/ids.ts";
import { STREAMS, streamName } from "../../../shared/jetstream/streams.ts";
import { type CollectionTable, collection } from "../../../shared/mongo/collections.rules.ts";
import {
  describeIndexBuilds,
  ensureCollections,
  requireCollections,
} from "../../../shared/mongo/ensure-collections.ts";
import { databaseName, type Mongo } from "../../../shared/mongo/mongo.ts";
import { repetitions } from "../../support/repetitions.ts";
import { startProgram } from "../../support/servers/program.ts";
import { aTestNamespace, testServerSettings, testServers } from "../../support/servers/servers.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const opened: Mongo[] = [];
afterAll(() => Promise.all(opened.map((mongo) => mongo.close())));

async function open(namespace = aTestNamespace()): Promise<Connection> {
  const mongo = await openTestDatabase("delivery", namespace);
  opened.push(mongo);
  return mongo.connection;
}

const indexNames = async (connection: Connection, name: string) =>
  (await connection.collection(name).indexes()).map((index) => index.name).toSorted();

describe("ensureCollections", () => {
  const MARK = { key: { mark: 1 }, unique: true } as const;
  const END = { key: { at: 1 }, name: "expiry" } as const;
  const TABLE = {
    marks: collection("marks", { shards: "few", indexes: [MARK, { ...END, expireAfterSeconds: 60 }] }),
    notes: collection("notes", { shards: "few", indexes: [{ key: { partnerId: 1, _id: -1 } }] }),
    plain: collection("plain", { shards: "few" }),
  };
  const CREATE_NOTES = "create index partnerId_1__id_-1 of notes";
  const ALL = ["create index mark_1, expiry of marks", CREATE_NOTES];
  const steps = (state: string, names = ALL) => names.map((name) => ({ name, state }));
  const plan = (connection: Connection, table: CollectionTable = TABLE) =>
    ensureCollections({ connection, table, planOnly: true });
  const run = (connection: Connection, table: CollectionTable = TABLE) =>
    ensureCollections({ connection, table });

  test("an empty database: the plan changes nothing, the run makes everything, and then nothing is left", async () => {
    const connection = await open();
    await expect(requireCollections(connection, TABLE)).rejects.toThrow(
      `The database ${connection.name} lacks index mark_1, expiry of marks; ` +
        "index partnerId_1__id_-1 of notes: run `npm run admin -- migrate` first.",
    );
    expect(await plan(connection)).toEqual(steps("to do"));
    expect(await connection.listCollections()).toEqual([]);
    const reports: string[] = [];
    const report = (text: string) => void reports.push(text);
    expect(await ensureCollections({ connection, table: TABLE, report })).toEqual(steps("done"));
    expect(reports).toEqual(ALL.map((name) => `${connection.name}: ${name}`));
    expect(await indexNames(connection, "marks")).toEqual(["_id_", "expiry", "mark_1"]);
    expect([await plan(connection), await run(connection)]).toEqual([[], []]);
    await requireCollections(connection, TABLE);
  });

  test("two runs at the same time: both end, and nothing is left", async () => {
    const namespace = aTestNamespace();
    const [one, other] = [await open(namespace), await open(namespace)];
    await Promise.all([run(one), run(other)]);
    expect(await plan(one)).toEqual([]);
  });

  test("a run that was interrupted: the next one creates the rest alone", async () => {
    const connection = await open();
    await run(connection, { marks: TABLE.marks });
    expect(await run(connection)).toEqual(steps("done", [CREATE_NOTES]));
  });

  test("another expiry is changed in place, and a service starts before that", async () => {
    const connection = await open();
    await run(connection);
    const longer = collection("marks", { shards: "few", indexes: [{ ...END, expireAfterSeconds: 90 }] });
    const table = { ...TABLE, marks: { ...longer, indexes: [MARK, ...longer.indexes] } };
    await requireCollections(connection, table);
    expect(await run(connection, table)).toEqual(
      steps("done", ["change expireAfterSeconds of index expiry of marks"]),
    );
    expect(await connection.collection("marks").indexes()).toContainEqual(
      expect.objectContaining({ name: "expiry", expireAfterSeconds: 90 }),
    );
    expect(await plan(connection, table)).toEqual([]);
  });

  test("another key under the same name is refused with the reason, and nothing is changed", async () => {
    const connection = await open();
    await connection.collection("marks").createIndex({ other: 1 }, { name: "mark_1" });
    const reason =
      /: Index mark_1 of marks exists with another key, unique\. Give the new index a name of its/;
    await expect(plan(connection)).rejects.toThrow(reason);
    await expect(run(connection)).rejects.toThrow(reason);
    expect((await connection.listCollections()).map(({ name }) => name)).toEqual(["marks"]);
  });

  test("indexes and collections that are not declared are named, and stay", async () => {
    const connection = await open();
    await run(connection);
    const { notes } = TABLE;
    const surplus = steps("not declared", ["index expiry of marks", "collection plain"]);
    const table = { notes, marks: collection("marks", { shards: "few", indexes: [MARK] }) };
    await connection.collection("plain").insertOne({});
    expect([await plan(connection, table), await run(connection, table)]).toEqual([surplus, surplus]);
    await requireCollections(connection, table);
    expect(await indexNames(connection, "marks")).toEqual(["_id_", "expiry", "mark_1"]);
  });
});

describe("npm run admin -- migrate, as a process", () => {
  const namespace = aTestNamespace();
  const settings = testServerSettings(namespace);
  const command = (...args: string[]) => startProgram(["deploy/admin/main.ts", "migrate", ...args], settings);
  const plan = () => migrate(loadConfig("migration", settings), { planOnly: true });
  const stored = async () => {
    const connection = await open(namespace);
    const { databases } = await connection.getClient().db("admin").admin().listDatabases();
    const own = SERVICE_NAMES.map((name) => databaseName(namespace, name));
    const nats = await connect({ servers: testServers().natsUrl });
    const names: string[] = [];
    for await (const { config } of (await nats.jetstreamManager()).streams.list()) names.push(config.name);
    await nats.close();
    return {
      databases: databases.map(({ name }) => name).filter((name) => own.includes(name)),
      streams: names.filter((name) => name.startsWith(`${namespace.toUpperCase()}_`)).toSorted(),
    };
  };

  test("the plan changes nothing; a killed run is completed by the next; a conflict ends it with 1", async () => {
    const before = await plan();
    expect(new Set(before.map(({ part }) => part))).toEqual(new Set(["streams", ...SERVICE_NAMES]));
    expect(before).toContainEqual({
      part: "streams",
      name: `create stream ${streamName(namespace, "EVENTS")}`,
      state: "to do",
    });
    expect(await stored()).toEqual({ databases: [], streams: [] });

    const victim = command();
    await waitFor(() => victim.said.stderr.includes(databaseName(namespace, "profile")), {
      what: "the run to be in a database",
      everyMs: 1,
    });
    await victim.kill("SIGKILL");

    const next = await command("--json").ended;
    expect([next.code, JSON.parse(next.stdout)]).toEqual([
      0,
      expect.arrayContaining([expect.objectContaining({ part: "delivery", state: "done" })]),
    ]);
    expect(await plan()).toEqual([]);
    expect((await stored()).streams).toEqual(
      Object.values(STREAMS)
        .map(({ name }) => streamName(namespace, name))
        .toSorted(),
    );
    const connection = await open(namespace);
    await requireCollections(connection, COLLECTIONS);

    await connection.collection("deliveries").dropIndex("waiting");
    await connection.collection("deliveries").createIndex({ queue: 1 }, { name: "waiting" });
    const refused = await command("--part", "delivery").ended;
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("Index waiting of deliveries exists with another key, sparse.");
  });
});

describe("an index build during the work", () => {
  const DOCUMENTS = repetitions({ short: 2_000, nightly: 2_000_000 });
  const PER_INSERT = 2_000;
  const LONG_MS = 60 * 60_000;
  /** As if the previous release did not have these. */
  const NEWER = ["expiry", "customer", "series", "failures"];
  const aDelivery = (partnerId: string) => {
    const at = Date.now();
    const event = { _id: orderedId(at), partnerId, eventType: "webhook.test", eventVersion: 1 };
    const times = { endpointId: "e", partition: 0, createdAtMs: at, nextAttemptAtMs: at, claimableAtMs: at };
    return firstDelivery({ ...event, customerId: null, occurredAt: new Date(at) }, times);
  };

  test(
    "every call of the previous release is answered, and at the end the indexes are there",
    async () => {
      const namespace = aTestNamespace();
      const connection = await open(namespace);
      const partnerId = randomUUID();
      const deliveries = deliveryRepository(connection);
      await ensureCollections({ connection, table: COLLECTIONS });
      for (const name of NEWER) await connection.collection("deliveries").dropIndex(name);
      for (let stored = 0; stored < DOCUMENTS; stored += PER_INSERT)
        await deliveries.insert(Array.from({ length: PER_INSERT }, () => aDelivery(partnerId)));

      let isOver = false;
      let calls = 0;
      const work = async () => {
        const history = historyRepository(await open(namespace));
        const filter = parseHistoryQuery({});
        do {
          await deliveries.insert([aDelivery(partnerId)]);
          expect(await history.page(partnerId, filter, { skip: 0, after: null }, 50)).toHaveLength(50);
          calls += 1;
        } while (!isOver);
      };
      const reports: string[] = [];
      const migrated = ensureCollections({
        connection: await open(namespace),
        table: COLLECTIONS,
        report: (text) => void reports.push(text),
      }).finally(() => {
        isOver = true;
      });
      await Promise.all([migrated, work()]);
      expect(calls).toBeGreaterThan(0);
      expect(await indexNames(connection, "deliveries")).toEqual(
        ["_id_", "history", "waiting", ...NEWER].toSorted(),
      );
      // Read through the migration's connection, whose reads are of a majority otherwise.
      expect(await describeIndexBuilds(connection)).toEqual([]);
      expect(reports[0]).toContain("create index customer, series, failures, expiry of deliveries");
      const isShown = reports.some((text) => /deliveries: .*\(\d+ of \d+\)/.test(text));
      expect(isShown || DOCUMENTS < 1_000_000).toBe(true);
    },
    LONG_MS,
  );
});
