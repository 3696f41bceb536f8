/** A mongod as a single-member replica set that keeps its data between starts. */
import mongoose from "mongoose";
import { childEnv } from "../../lib/child-env.ts";
import { MONGOD_SET, type StatePaths } from "../../lib/paths.ts";
import type { ProcessSpec } from "../processes/managed-process.ts";
import type { Program } from "./first-that-runs.ts";

const ANSWER_WITHIN_MS = 2_000;
/** Short: there is no other member to wait for. */
const ELECTION = { electionTimeoutMillis: 1_000 };
const NOT_YET_INITIALIZED = 94;

export function mongodSpec(binary: Program, port: number, paths: StatePaths): ProcessSpec {
  return {
    name: "mongod",
    server: true,
    command: binary.path,
    args: [
      ...["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket"],
      ...["--dbpath", paths.mongodDir, "--replSet", MONGOD_SET],
      ...["--oplogSize", "256", "--wiredTigerCacheSizeGB", "0.5"],
      ...["--setParameter", "diagnosticDataCollectionEnabled=false", "--quiet"],
    ],
    env: childEnv(binary.env),
    isReady: () => isPrimary(port),
    readyWithinMs: 180_000,
    stopWithinMs: 15_000,
  };
}

/** Initiates the replica set if there is none, and reconfigures it if the port has changed. */
async function isPrimary(port: number): Promise<boolean> {
  const client = new mongoose.mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: ANSWER_WITHIN_MS,
    connectTimeoutMS: ANSWER_WITHIN_MS,
    socketTimeoutMS: ANSWER_WITHIN_MS * 5,
  });
  try {
    const admin = client.db("admin");
    const member = `127.0.0.1:${port}`;
    const config = await currentConfig(admin);
    if (config === null)
      await admin.command({
        replSetInitiate: { _id: MONGOD_SET, members: [{ _id: 0, host: member }], settings: ELECTION },
      });
    else if (config.members[0]?.host !== member)
      await admin.command({
        replSetReconfig: {
          ...config,
          version: config.version + 1,
          members: [{ ...config.members[0], host: member }],
        },
        force: true,
      });
    const hello = await admin.command({ hello: 1 });
    return hello.isWritablePrimary === true;
  } finally {
    await client.close();
  }
}

type SetConfig = { version: number; members: { host: string }[] };

async function currentConfig(admin: mongoose.mongo.Db): Promise<SetConfig | null> {
  try {
    return (await admin.command({ replSetGetConfig: 1 })).config as SetConfig;
  } catch (error) {
    if ((error as { code?: number }).code === NOT_YET_INITIALIZED) return null;
    throw error;
  }
}
