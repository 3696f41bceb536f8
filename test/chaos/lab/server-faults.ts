/** Faults of whole servers: killed, slow, cut off from their like, voted out, or with a full disk. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { withMongo } from "../../support/servers/with-client.ts";
import { fillDisk } from "../../support/small-disk.ts";
import type { Inject, Setting } from "./inject.ts";

/** A server's fault is over when it serves again, and a member's when the set takes writes. */
export const killed: Inject = async (setting, { target, forMs }) => {
  const { stage, random } = setting;
  const servers = (await stage.cluster?.inRole(target, random)) ?? [target];
  await Promise.all(servers.map((name) => stage.process(name).stop({ atOnce: true })));
  await sleep(forMs);
  await Promise.all(servers.map((name) => stage.process(name).start()));
  if (servers.some(isMember)) await untilWritable(setting);
};

const isMember = (server: string) => server.startsWith("mongod");
/** By a write of the laboratory's own: the time of elections and rollbacks is MongoDB's. */
const untilWritable = async ({ stage }: Setting) => void (await stage.cluster?.untilWritable());

const RUNS_MS = 20;
const STANDS_MS = 60;

export async function slowed({ stage }: Setting, server: string, forMs: number): Promise<void> {
  const endsAt = performance.now() + forMs;
  while (performance.now() < endsAt) {
    stage.process(server).kill("SIGSTOP");
    await sleep(STANDS_MS);
    stage.process(server).kill("SIGCONT");
    await sleep(RUNS_MS);
  }
}

/** Refused, as by a firewall, or held, as by a network that is away. */
export async function isolated(setting: Setting, server: string, forMs: number): Promise<void> {
  const { stage, random } = setting;
  const wires = stage.cluster?.wiresToOthers(server) ?? [];
  const mode = random.next() < 0.5 ? "refuse" : "hold";
  for (const wire of wires) wire.set(mode);
  await sleep(forMs);
  for (const wire of wires) wire.set("pass");
  if (isMember(server)) await untilWritable(setting);
}

const VOTE_EVERY_MS = 3_000;
/** As before maintenance: another member is up to date, and is voted for without a delay. */
const STEP_DOWN = { replSetStepDown: VOTE_EVERY_MS / 1_000, secondaryCatchUpPeriodSecs: 2 };

export const steppedDown: Inject = async (setting, { forMs }) => {
  for (let left = forMs; left >= 0; left -= VOTE_EVERY_MS) {
    await untilWritable(setting);
    await withMongo(setting.stage.addresses.mongodbUri, (client) => client.db("admin").command(STEP_DOWN));
    await sleep(VOTE_EVERY_MS);
  }
  await untilWritable(setting);
};

const FILL_EVERY_MS = 20;

/** Freed space is taken again until the end. A server that lost its store is restarted, as its liveness probe does it. */
export async function fullDisk(setting: Setting, server: string, forMs: number): Promise<void> {
  const { stage } = setting;
  const { cluster } = stage;
  const filler = join(cluster?.dirOf(server) ?? "", "filler");
  for (const endsAt = performance.now() + forMs; performance.now() < endsAt; await sleep(FILL_EVERY_MS))
    fillDisk(filler);
  rmSync(filler);
  if (!isMember(server) && !(await cluster?.isAlive(server).catch(() => false)))
    await stage.process(server).stop({ atOnce: true });
  await stage.process(server).start();
  if (isMember(server)) await untilWritable(setting);
}
