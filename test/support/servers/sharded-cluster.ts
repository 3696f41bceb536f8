/** MongoDB with two shards of one member each behind a real mongos, which tells how many shards it asked for each command. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import mongoose from "mongoose";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess, type ProcessSpec } from "../../../deploy/local/processes/managed-process.ts";
import { mongodSpec } from "../../../deploy/local/servers/mongod.ts";
import { findShardServers } from "../../../deploy/local/servers/mongod-binary.ts";
import { quietReport } from "../quiet-report.ts";
import { openTestHost } from "./test-host.ts";
import { withMongo } from "./with-client.ts";

type Document = Record<string, unknown>;

/** A command as mongos took it; `shards` is null where it does not say. */
export type RoutedCommand = { ns: string; command: Document; shards: number | null };

type ShardedCluster = Awaited<ReturnType<typeof startShardedCluster>>;

const SHARDS = ["shard-0", "shard-1"] as const;
const ALREADY_INITIALIZED = 23;
const READY_WITHIN_MS = 200_000;
/** Instead of what a mongod takes that is alone. */
const SMALL: Record<string, string> = { "--oplogSize": "16", "--wiredTigerCacheSizeGB": "0.25" };

export async function startShardedCluster() {
  const { mongod, mongos } = await findShardServers(quietReport);
  const { paths, host } = openTestHost("shards");
  const address = async (name: string) => `127.0.0.1:${await host.ports.take(name)}`;
  const start = (spec: ProcessSpec) => manageProcess(spec, host).start();

  async function startMember(name: string, role: "--configsvr" | "--shardsvr"): Promise<string> {
    const member = await address(name);
    const mongodDir = join(paths.root, name);
    mkdirSync(mongodDir);
    const usual = mongodSpec(mongod, Number(member.split(":")[1]), { ...paths, mongodDir });
    const other: Record<string, string> = { ...SMALL, "--replSet": name };
    const args = usual.args.map((arg, at) => other[usual.args[at - 1] ?? ""] ?? arg);
    const set = { _id: name, configsvr: role === "--configsvr", members: [{ _id: 0, host: member }] };
    const isReady = () => isPrimary(member, set);
    await start({ ...usual, name, args: [...args, role], isReady, readyWithinMs: READY_WITHIN_MS });
    return `${name}/${member}`;
  }

  let client: mongoose.mongo.MongoClient | undefined;
  const end = async () => {
    await client?.close();
    await closeHost(host);
  };
  try {
    const [configdb, ...shards] = await Promise.all([
      startMember("config", "--configsvr"),
      ...SHARDS.map((name) => startMember(name, "--shardsvr")),
    ]);
    const router = await address("mongos");
    await start({
      name: "mongos",
      server: true,
      command: mongos.path,
      args: [
        ...["--port", router.split(":")[1] ?? "", "--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"],
        ...["--configdb", configdb, "--setParameter", "diagnosticDataCollectionEnabled=false"],
        ...["--setParameter", "mongosShutdownTimeoutMillisForSignaledShutdown=0"],
      ],
      env: childEnv(mongos.env),
      isReady: () =>
        asking(`mongodb://${router}`, async (admin) => Boolean(await admin.command({ ping: 1 }))),
      readyWithinMs: READY_WITHIN_MS,
      stopWithinMs: 15_000,
    });
    const uri = `mongodb://${router}`;
    client = new mongoose.mongo.MongoClient(uri);
    const admin = client.db("admin");
    for (const shard of shards) await admin.command({ addShard: shard });
    await admin.command({ balancerStop: 1 });
    // So that every command stands in its log, with the number of shards.
    await admin.command({ profile: 0, slowms: -1 });
    return { uri, admin, routed: routedIn(paths.logFile("mongos")), end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** From this place on a collection lies on the other shard. */
export async function splitAt(
  { admin }: Pick<ShardedCluster, "admin">,
  ns: string,
  middle: Document,
): Promise<void> {
  const [dbName = ""] = ns.split(".");
  await admin.command({ split: ns, middle });
  const databases = admin.client.db("config").collection<{ _id: string; primary: string }>("databases");
  const { primary } = (await databases.findOne({ _id: dbName })) ?? {};
  const toShard = SHARDS.find((name) => name !== primary);
  await admin.command({ moveRange: ns, min: middle, toShard });
}

type Line = { msg?: string; attr?: { appName?: string; ns?: string; command?: Document; nShards?: number } };

/** The commands of our services since the last call. */
function routedIn(logFile: string): () => RoutedCommand[] {
  let read = 0;
  return () => {
    const lines = readFileSync(logFile, "utf8").split("\n");
    const complete = lines.slice(read, -1);
    read += complete.length;
    return complete.flatMap((text) => {
      if (!text.startsWith("{")) return [];
      const { msg, attr: { appName = "", ns = "", command = {}, nShards } = {} } = JSON.parse(text) as Line;
      const isOurs = msg === "Slow query" && appName.startsWith("partner-onboarding");
      return isOurs ? [{ ns, command, shards: nShards ?? null }] : [];
    });
  };
}

const isPrimary = (member: string, set: Document): Promise<boolean> =>
  asking(`mongodb://${member}/?directConnection=true`, async (admin) => {
    await admin.command({ replSetInitiate: set }).catch((error: { code?: number }) => {
      if (error.code !== ALREADY_INITIALIZED) throw error;
    });
    return (await admin.command({ hello: 1 })).isWritablePrimary === true;
  });

const asking = (uri: string, question: (admin: mongoose.mongo.Db) => Promise<boolean>): Promise<boolean> =>
  withMongo(uri, (client) => question(client.db("admin")), { serverSelectionTimeoutMS: 2_000 });
