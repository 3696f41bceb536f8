/** Migrations on a real MongoDB: killed at any step, two at once, as the real command, and under load. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, test } from "@jest/globals";
import type { Connection } from "mongoose";
import { connect } from "nats";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { historyRepository } from "../../../services/delivery/history/history.repository.ts";
import { parseHistoryQuery } from "../../../services/delivery/history/history.rules.ts";
import { MIGRATIONS as DELIVERY } from "../../../services/delivery/migrations.ts";
import { deliveryRepository } from "../../../services/delivery/records/delivery.repository.ts";
import { firstDelivery } from "../../../services/delivery/records/delivery.rules.ts";
import { SERVICE_NAMES } from "../../../shared/config/config.ts";
import { orderedId } from "../../../shared/ids.ts";
import { STREAMS, streamName } from "../../../shared/jetstream/streams.ts";
import { describeIndexBuilds } from "../../../shared/mongo/index-builds.ts";
import { migrationStore } from "../../../shared/mongo/migration-store.ts";
import { createMongo, databaseName, type Mongo } from "../../../shared/mongo/mongo.ts";
import { type Migration, requireMigrated, runMigrations } from "../../../shared/mongo/run-migrations.ts";
import { repetitions } from "../../support/repetitions.ts";
import { aTestNamespace, testServerSettings, testServers } from "../../support/servers/servers.ts";
import { waitFor } from "../../support/wait-for.ts";

const opened: Mongo[] = [];
afterAll(() => Promise.all(opened.map((mongo) => mongo.close().catch(() => undefined))));

async function open(namespace: string): Promise<Connection> {
  const { mongodbUri } = testServers();
  const mongo = createMongo({ mongodbUri, mongodbPoolSize: 5, namespace, process: "delivery" });
  opened.push(mongo);
  await waitFor(() => mongo.connect().then(() => true), { what: "the database" });
  return mongo.connection;
}

type Lock = { _id: string; holder: string; until: Date };

const LEASE_MS = 300;
/** However busy the machine is, a run that lives keeps it. */
const PATIENT_LEASE_MS = 60_000;
const run = (connection: Connection, migrations: readonly Migration[], report = (_: string) => {}) =>
  runMigrations({ connection, migrations, leaseMs: LEASE_MS, report });

/** Each marks its documents, one write at a time, and counts how often it was run to its end. */
const marking = (number: number, ended: number[] = []): Migration => ({
  number,
  name: `mark ${number}`,
  async run(connection) {
    const marks = connection.collection<{ _id: string; by: number }>("marks");
    for (const place of ["a", "b"])
      await marks.updateOne({ _id: `${number}${place}` }, { $set: { by: number } }, { upsert: true });
    ended.push(number);
  },
});

const MARKED = ["1a", "1b", "2a", "2b", "3a", "3b"];
const markedIn = async (connection: Connection) =>
  (
    await connection
      .collection<{ _id: string }>("marks")
      .find({}, { sort: { _id: 1 } })
      .toArray()
  ).map(({ _id }) => _id);

/** From its n-th write on it does nothing more, as a killed process would; answers whether it came to that. */
function killedAt(connection: Connection, nth: number): () => boolean {
  let writes = 0;
  for (const name of ["marks", "migrations"]) {
    const collection = connection.collection(name);
    const updateOne = collection.updateOne.bind(collection);
    collection.updateOne = (async (...args: Parameters<typeof updateOne>) => {
      writes += 1;
      if (writes >= nth) throw new Error("killed");
      return updateOne(...args);
    }) as typeof collection.updateOne;
  }
  return () => writes >= nth;
}

describe("a run that is killed", () => {
  test("before any of its writes: the next one takes it up, and repeats nothing that had ended", async () => {
    let wasKilled = true;
    for (let nth = 1; wasKilled; nth += 1) {
      const namespace = aTestNamespace();
      const victim = await open(namespace);
      const isKilled = killedAt(victim, nth);
      const first: number[] = [];
      await run(victim, [marking(1, first), marking(2, first), marking(3, first)]).catch(() => undefined);
      wasKilled = isKilled();
      const heir = await open(namespace);
      const before = (await migrationStore(heir).records()).filter(({ endedAt }) => endedAt);
      const second: number[] = [];
      const done = await run(heir, [marking(1, second), marking(2, second), marking(3, second)]);
      expect([nth, await markedIn(heir)]).toEqual([nth, MARKED]);
      const endedBefore = before.map(({ number }) => number);
      expect([nth, second]).toEqual([nth, [1, 2, 3].filter((number) => !endedBefore.includes(number))]);
      expect(done.map(({ number }) => number)).toEqual(second);
      for (const record of await migrationStore(heir).records()) expect(record.endedAt).toBeInstanceOf(Date);
    }
  });
});

describe("two runs at once", () => {
  test("one waits for the other, and every migration runs once", async () => {
    const namespace = aTestNamespace();
    const ended: number[] = [];
    const said: string[] = [];
    const held = Promise.withResolvers<void>();
    const slow: Migration = {
      number: 1,
      name: "slow",
      run: async () => {
        await held.promise;
        ended.push(1);
      },
    };
    const both = [await open(namespace), await open(namespace)].map((connection) =>
      runMigrations({
        connection,
        migrations: [slow, marking(2, ended)],
        leaseMs: PATIENT_LEASE_MS,
        report: (text) => void said.push(text),
      }),
    );
    await waitFor(() => said.some((text) => text.includes("waits")), { what: "the second to wait" });
    held.resolve();
    const answers = await Promise.all(both);
    expect(ended).toEqual([1, 2]);
    expect(answers.map((done) => done.length).toSorted()).toEqual([0, 2]);
  });

  test("one that goes on for longer than its lease renews it", async () => {
    const namespace = aTestNamespace();
    const watcher = await open(namespace);
    const held = Promise.withResolvers<void>();
    const running = run(await open(namespace), [{ number: 1, name: "slow", run: () => held.promise }]);
    const seen = new Set<number>();
    await waitFor(
      async () => {
        const lock = await watcher.collection<Lock>("migrations").findOne({ _id: "lock" });
        return seen.add(lock?.until.getTime() ?? 0).size > 3;
      },
      { what: "the lease to be renewed" },
    );
    held.resolve();
    expect(await running).toHaveLength(1);
  });

  test("one that stood still until its lease ended: stops, and does not go on beside the next", async () => {
    const namespace = aTestNamespace();
    const stalled = await open(namespace);
    const begun = Promise.withResolvers<void>();
    const never: Migration = {
      number: 1,
      name: "stands still",
      run: async () => {
        begun.resolve();
        await new Promise(() => undefined);
      },
    };
    const failed = run(stalled, [never]).catch((error: Error) => error.message);
    await begun.promise;
    const other = await open(namespace);
    // As if the clock had passed the end of the lease, and another had come.
    await other
      .collection<Lock>("migrations")
      .updateOne({ _id: "lock" }, { $set: { holder: "another", until: new Date(Date.now() + 60_000) } });
    expect(await failed).toMatch(/taken over/);
    expect(await migrationStore(other).records()).toMatchObject([{ number: 1, endedAt: null }]);
  });
});

describe("npm run admin -- migrate, as a process", () => {
  const namespace = aTestNamespace();
  const settings = { ...testServerSettings(namespace), PBO_MIGRATION_LEASE_MS: "1000" };
  const command = (args: readonly string[]) => {
    const child = spawn(process.execPath, ["deploy/admin/main.ts", "migrate", ...args], {
      cwd: projectDir,
      env: childEnv(settings),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const text = { out: "", err: "" };
    child.stdout.on("data", (chunk) => {
      text.out += chunk;
    });
    child.stderr.on("data", (chunk) => {
      text.err += chunk;
    });
    const ended = new Promise<{ code: number | null }>((resolve) =>
      child.once("close", (code) => resolve({ code })),
    );
    return { child, text, ended };
  };
  const planned = async (): Promise<{ part: string; name: string; state: string }[]> => {
    const { text, ended } = command(["--plan", "--json"]);
    expect([(await ended).code, text.err]).toEqual([0, ""]);
    return JSON.parse(text.out);
  };
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

  test("--plan names everything and changes nothing; killed, run again, it is done; then there is nothing to do", async () => {
    const before = await planned();
    expect(before.filter(({ part }) => part === "streams").map(({ name }) => name)).toContain(
      `create stream ${streamName(namespace, "EVENTS")}`,
    );
    expect(before.filter(({ part }) => part !== "streams").map(({ state }) => state)).toEqual(
      expect.arrayContaining(SERVICE_NAMES.map(() => "to do")),
    );
    expect(await stored()).toEqual({ databases: [], streams: [] });

    const victim = command([]);
    await waitFor(() => victim.text.err.includes(databaseName(namespace, "profile")), {
      what: "the run to be in a database",
      everyMs: 1,
    });
    victim.child.kill("SIGKILL");
    await victim.ended;

    const { text, ended } = command([]);
    expect([(await ended).code, text.out]).toEqual([0, expect.stringContaining("delivery")]);
    expect((await planned()).filter(({ state }) => state !== "done")).toEqual([]);
    expect((await stored()).streams).toEqual(
      Object.values(STREAMS)
        .map(({ name }) => streamName(namespace, name))
        .toSorted(),
    );
    await requireMigrated(await open(namespace), DELIVERY);
  });

  test("an unknown part: exit code 2, and the parts are named", async () => {
    const { text, ended } = command(["--part", "everything"]);
    expect((await ended).code).toBe(2);
    expect(text.err).toContain("--part must be one of streams, auth-token");
  });
});

describe("an index build beside the work", () => {
  const DOCUMENTS = repetitions({ short: 2_000, nightly: 2_000_000 });
  const PER_INSERT = 2_000;
  const LONG_MS = 60 * 60_000;
  /** Indexes of deliveries that the first release did not have. */
  const NEWER = ["expiry", "customer", "series", "failures"];
  const aDelivery = (partnerId: string) => {
    const at = Date.now();
    const event = { _id: orderedId(at), partnerId, eventType: "webhook.test", eventVersion: 1 };
    const times = { endpointId: "e", partition: 0, createdAtMs: at, nextAttemptAtMs: at, claimableAtMs: at };
    return firstDelivery({ ...event, customerId: null, occurredAt: new Date(at) }, times);
  };

  test(
    "on the data of the release before: every call is answered, and at the end the indexes are there",
    async () => {
      const namespace = aTestNamespace();
      const connection = await open(namespace);
      const partnerId = randomUUID();
      const deliveries = deliveryRepository(connection);
      await run(connection, DELIVERY.slice(0, 1));
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
      const said: string[] = [];
      const migrated = run(await open(namespace), DELIVERY, (text) => void said.push(text)).finally(() => {
        isOver = true;
      });
      await Promise.all([migrated, work()]);
      expect(calls).toBeGreaterThan(0);
      const indexes = await connection.collection("deliveries").indexes();
      expect(indexes.map(({ name }) => name).toSorted()).toEqual(
        ["_id_", "history", "waiting", ...NEWER].toSorted(),
      );
      // Asked by the connection that migrates, whose reads are of a majority otherwise.
      expect(await describeIndexBuilds(connection)).toEqual([]);
      expect(said[0]).toContain("2 events, deliveries and tallies expire");
      const isShown = said.some((text) => /deliveries: .*\(\d+ of \d+\)/.test(text));
      expect(isShown || DOCUMENTS < 1_000_000).toBe(true);
    },
    LONG_MS,
  );
});
