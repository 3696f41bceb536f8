/** The files of a MongoDB member: copied while it runs, and made ready for a new replica set. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename } from "node:path";
import type mongoose from "mongoose";
import { retry } from "../../../shared/retry.ts";
import { withMongo } from "./with-client.ts";

/** Files of the process, not of the data. */
const NOT_DATA = ["mongod.lock", "diagnostic.data"];
/** Much data takes its time; a program that ends is not waited for. */
const STARTS_WITHIN = { firstWaitMs: 200, withinMs: 600_000 };
const ALONE = { directConnection: true, serverSelectionTimeoutMS: 5_000 };

/** All databases as of one moment: the member takes no writes meanwhile, so a secondary is the one to ask. */
export async function copyFiles(uri: string, from: string, to: string): Promise<void> {
  refuseUnlessEmpty(to);
  const copy = async (client: mongoose.mongo.MongoClient) => {
    const admin = client.db("admin");
    await admin.command({ fsync: 1, lock: true });
    try {
      await cp(from, to, { recursive: true, filter: (path) => !NOT_DATA.includes(basename(path)) });
    } finally {
      await admin.command({ fsyncUnlock: 1 });
    }
  };
  await withMongo(uri, copy, ALONE);
}

type Program = { path: string; env: Record<string, string> };
type Restore = { from: string; to: string; port: number; mongod: Program };

/** Without its memory of the old set (`local`) a member can begin a new one; its data and users stay. */
export async function restoreFiles({ from, to, port, mongod }: Restore): Promise<void> {
  refuseUnlessEmpty(to);
  await cp(from, to, { recursive: true });
  // Alone, and only for this machine: nobody is asked for a password meanwhile.
  const args = ["--dbpath", to, "--port", String(port), "--bind_ip", "127.0.0.1", "--quiet"];
  const child = spawn(mongod.path, args, { env: mongod.env, stdio: "ignore" });
  await once(child, "spawn");
  const ended = once(child, "close");
  try {
    // A client that has failed to connect once never does again.
    const forget = () =>
      withMongo(`mongodb://127.0.0.1:${port}`, (client) => client.db("local").dropDatabase(), ALONE);
    await retry(forget, { ...STARTS_WITHIN, isPassing: () => child.exitCode === null });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

function refuseUnlessEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
}
