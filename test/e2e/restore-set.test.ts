/** The restore of the guide by its own commands: from the files of a secondary to a new set of three, with TLS and passwords. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { childEnv } from "../../deploy/lib/child-env.ts";
import { projectDir } from "../../deploy/lib/paths.ts";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { freePort } from "../../deploy/local/ports.ts";
import { quietReport } from "../../deploy/local/report.ts";
import { findMongod } from "../../deploy/local/servers/mongod-binary.ts";
import { databaseName } from "../../shared/mongo/mongo.ts";
import { adminCommand } from "../support/clients/admin-command.ts";
import { type MongodSet, startMongodSet } from "../support/servers/mongod-set.ts";
import { newSecretsDir, type SecretsDir } from "../support/servers/new-secrets-dir.ts";
import { waitFor } from "../support/wait-for.ts";

const folder = mkdtempSync(join(tmpdir(), "pbo-restore-set-"));
let secrets: SecretsDir;
let set: MongodSet;

beforeAll(async () => {
  secrets = await newSecretsDir();
  set = await startMongodSet(secrets);
});
afterAll(async () => {
  await set?.end();
  rmSync(folder, { recursive: true, force: true });
});

const noBus = (): never => {
  throw new Error("mongodb prepare needs no message bus");
};

async function command(args: readonly string[], env: Record<string, string> = {}): Promise<void> {
  const { ok, stderr } = await runCommand("deploy/run-node", ["deploy/mongodb/main.ts", ...args], {
    cwd: projectDir,
    env: childEnv(env),
    withinMs: 120_000,
  });
  expect([ok, stderr]).toEqual([true, stderr]);
}

/** A program as it would be installed: it finds its libraries by itself. */
async function installedMongod(): Promise<string> {
  const { path, env } = await findMongod(quietReport);
  const file = join(folder, "mongod");
  writeFileSync(file, `#!/bin/sh\nLD_LIBRARY_PATH="${env.LD_LIBRARY_PATH ?? ""}" exec "${path}" "$@"\n`);
  chmodSync(file, 0o755);
  return file;
}

/** What a member has itself, as a service sees it. */
async function readFrom(host: string): Promise<string[]> {
  const client = set.connect("profile", `${host}/?directConnection=true&readPreference=secondaryPreferred`);
  try {
    const found = await client
      .db(databaseName("", "profile"))
      .collection<{ _id: string }>("trial")
      .find()
      .toArray();
    return found.map(({ _id }) => _id);
  } finally {
    await client.close();
  }
}

test("a copy of a secondary becomes a set of three; what came after the copy is gone", async () => {
  const hosts = set.hosts.split(",");
  const [first = "", second = ""] = set.dataDirs;
  const client = set.connect("profile");
  const trial = client.db(databaseName("", "profile")).collection<{ _id: string }>("trial");
  await trial.insertOne({ _id: "before" }, { writeConcern: { w: hosts.length } });
  await command(["copy", "--from", second, "--to", join(folder, "copy")], {
    PBO_MONGODB_URI: set.rootUri.replace(set.hosts, hosts[1] ?? "").replace(/replicaSet=\w+&/, ""),
  });
  await trial.insertOne({ _id: "after" }, { writeConcern: { w: hosts.length } });
  await client.close();

  await Promise.all(set.processes.map((member) => member.stop()));
  for (const dir of set.dataDirs) {
    rmSync(dir, { recursive: true });
    mkdirSync(dir);
  }
  const port = String(await freePort());
  await command([
    "restore",
    "--from",
    join(folder, "copy"),
    "--to",
    first,
    "--mongod",
    await installedMongod(),
    "--port",
    port,
  ]);
  await Promise.all(set.processes.map((member) => member.start()));
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, new URL(set.rootUri.replace(set.hosts, "set")).password);
  const prepared = await adminCommand(noBus, [
    ...["mongodb", "prepare", "--initiate", "--hosts", set.hosts, "--replica-set", "rs0"],
    ...["--ca-file", join(secrets.dir, "ca/mongodb"), "--user", "root", "--password-file", passwordFile],
    ...["--directory", secrets.dir],
  ]);
  expect(prepared).toMatchObject({ code: 0, err: "" });
  for (const host of hosts)
    await waitFor(async () => (await readFrom(host)).join() === "before", {
      what: `the data on ${host}`,
      timeoutMs: 120_000,
    });
});
