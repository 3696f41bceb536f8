/** Secrets change while the system runs, in the steps of deploy/docs/settings.md. */
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { adminCommand } from "../../support/clients/admin-command.ts";
import { LAB_PROCESSES, processesOf } from "./faults.rules.ts";
import type { Inject } from "./inject.ts";
import type { LabStage } from "./stage.ts";

const OWNERS: Record<string, readonly string[]> = {
  identity: ["profile-*"],
  token: ["auth-token-*"],
  webhook: ["webhook-registry-*", "delivery-*"],
};

/** The first key of a set seals, every key opens. */
export const newFieldKey: Inject = async ({ stage }, { target }) => {
  const file = join(stage.paths.root, `${target}-keys`);
  const old = readFileSync(file, "utf8").trim();
  const next = `k${Date.now()}:${randomBytes(32).toString("base64")}`;
  const names = (OWNERS[target] ?? []).flatMap(processesOf);
  for (const keys of [`${old},${next}`, `${next},${old}`]) await give(keys);
  await reseal(stage, target);
  await give(next);

  async function give(keys: string): Promise<void> {
    writeFileSync(file, keys);
    for (const name of names) await stage.restart(name);
  }
};

async function reseal({ addresses }: LabStage, set: string): Promise<void> {
  const settings = { PBO_ENV: "local", PBO_NATS_URL: addresses.natsUrl, PBO_REQUEST_TIMEOUT_MS: "20000" };
  const { call, close } = await connectAdmin(settings);
  try {
    const { code, err } = await adminCommand(call, ["field-key", "reseal", "--set", set]);
    if (code !== 0) throw new Error(err);
  } finally {
    await close();
  }
}

/** Both users are allowed until every process comes as the next. */
export const newUser: Inject = async ({ stage }, { target }) => {
  const { cluster } = stage;
  const server = target === "nats" ? "nats" : "mongod";
  const next = `user${Date.now()}`;
  const old = userOf(stage, server);
  await cluster?.allow(server, [old, next]);
  for (const name of LAB_PROCESSES) {
    stage.setEnv(name, cluster?.envOf(next)[server] ?? {});
    await stage.restart(name);
  }
  await cluster?.allow(server, [next]);
};

const userOf = (stage: LabStage, server: "nats" | "mongod"): string => {
  const { PBO_NATS_USER = "", PBO_MONGODB_URI = "" } = stage.envOf("profile-1");
  return server === "nats" ? PBO_NATS_USER : new URL(PBO_MONGODB_URI.replace(/,[^/]*/, "")).username;
};
