/** The users of deploy/mongodb on a real mongod that asks for passwords: of an audit trail they add entries, no more. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { parse } from "yaml";
import { projectDir, statePaths } from "../../../deploy/lib/paths.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { mongodSpec } from "../../../deploy/local/servers/mongod.ts";
import { findMongod } from "../../../deploy/local/servers/mongod-binary.ts";
import { ensureCollections } from "../../../shared/mongo/ensure-collections.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { AUDIT_ENTRIES } from "../../../shared/stores/audit-trail.repository.ts";
import { quietReport } from "../../support/quiet-report.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";

type Manifest = {
  spec: {
    roles: { role: string; privileges: object[]; roles: object[] }[];
    users: { name: string; roles: { name: string; db: string }[] }[];
  };
};
const { spec } = parse(readFileSync(join(projectDir, "deploy/mongodb/replica-set.yaml"), "utf8")) as Manifest;

const NOT_ALLOWED = { codeName: "Unauthorized" };
const AUDITED = ["auth-token", "profile", "webhook-registry", "delivery"];
const { MongoClient } = mongoose.mongo;

const server = ofFile(startMongod, ({ end }) => end());

test.each(AUDITED)(
  "%s: reads and adds to its own trail; changes, removes and others' trails are refused",
  async (name) => {
    const client = server.connect(name);
    try {
      const trail = client.db(`${databaseName("", name)}_audit`).collection("audit_entries");
      await trail.insertOne({ action: "done" });
      expect(await trail.find({}).toArray()).toMatchObject([{ action: "done" }]);
      const forbidden = {
        update: () => trail.updateOne({}, { $set: { action: "nothing" } }),
        replace: () => trail.findOneAndReplace({}, { action: "nothing" }),
        remove: () => trail.deleteMany({}),
        drop: () => trail.drop(),
        "drop an index": () => trail.db.command({ dropIndexes: "audit_entries", index: "*" }),
        "an index that expires": () => trail.createIndex({ at: 1 }, { expireAfterSeconds: 1 }),
        rename: () => trail.rename("elsewhere"),
        validator: () => trail.db.command({ collMod: "audit_entries", validator: {} }),
        "drop the database": () => trail.db.dropDatabase(),
        out: () => trail.aggregate([{ $match: {} }, { $out: "audit_entries" }]).toArray(),
      };
      for (const [what, attempt] of Object.entries(forbidden))
        expect([what, await attempt().catch((error: unknown) => error)]).toEqual([
          what,
          expect.objectContaining(NOT_ALLOWED),
        ]);
      const table = { auditEntries: AUDIT_ENTRIES };
      expect(await ensureCollections({ connection: connectionTo(client, name), table })).toEqual([]);
      const own = client.db(databaseName("", name)).collection("anything");
      await own.insertOne({ a: 1 });
      await own.deleteMany({});
      for (const other of AUDITED.filter((each) => each !== name)) {
        const theirs = client.db(`${databaseName("", other)}_audit`).collection<object>("audit_entries");
        await expect(theirs.insertOne({})).rejects.toMatchObject(NOT_ALLOWED);
        await expect(theirs.findOne({})).rejects.toMatchObject(NOT_ALLOWED);
      }
      expect(await trail.countDocuments()).toBe(1);
    } finally {
      await client.close();
    }
  },
);

test("the exporter sees the set and its backups, and no customer", async () => {
  const client = server.connect("exporter");
  try {
    await client.db("admin").command({ serverStatus: 1 });
    for (const name of ["pbmConfig", "pbmBackups", "pbmAgents"])
      expect(await client.db("admin").collection(name).find({}).toArray()).toEqual([]);
    const profiles = client.db(databaseName("", "profile")).collection("business_profiles");
    await expect(profiles.findOne({})).rejects.toMatchObject(NOT_ALLOWED);
    await expect(client.db("admin").collection("pbmConfig").deleteMany({})).rejects.toMatchObject(
      NOT_ALLOWED,
    );
  } finally {
    await client.close();
  }
});

/** The parts of a connection that the comparison uses. */
const connectionTo = (client: mongoose.mongo.MongoClient, name: string): mongoose.Connection =>
  ({
    name: databaseName("", name),
    getClient: () => client,
    listCollections: async () => [],
  }) as unknown as mongoose.Connection;

/** Alone, without a replica set: rights need none. The users' passwords are their names. */
async function startMongod() {
  const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-mongod-")));
  const host = openHost(paths, quietReport, { temporary: true });
  const port = await freePort();
  const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  const usual = mongodSpec(await findMongod(quietReport), port, paths);
  const ofReplicaSet = ["--replSet", "--oplogSize"];
  const isKept = (arg: string, index: number): boolean =>
    !ofReplicaSet.includes(arg) && !ofReplicaSet.includes(usual.args[index - 1] ?? "");
  const answers = async () => {
    const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
    return client
      .db("admin")
      .command({ hello: 1 })
      .then(Boolean)
      .finally(() => client.close());
  };
  await manageProcess(
    { ...usual, args: [...usual.args.filter(isKept), "--auth"], isReady: answers },
    host,
  ).start();
  const connect = (name: string) => new MongoClient(url, { auth: { username: name, password: name } });
  const run = async (client: mongoose.mongo.MongoClient, commands: object[]) => {
    for (const command of commands) await client.db("admin").command(command);
    await client.close();
  };
  // The first client from this machine may make the first user.
  await run(new MongoClient(url), [{ createUser: "root", pwd: "root", roles: ["root"] }]);
  await run(connect("root"), [
    ...spec.roles.map(({ role, privileges, roles }) => ({ createRole: role, privileges, roles })),
    ...spec.users.map(({ name, roles }) => ({
      createUser: name,
      pwd: name,
      roles: roles.map(({ name: role, db }) => ({ role, db })),
    })),
  ]);
  return { connect, end: () => closeHost(host) };
}
