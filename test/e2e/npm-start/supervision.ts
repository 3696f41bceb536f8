/** The processes of `npm start`, as the README's terminal has started it, and those of the next start. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { statePaths } from "../../../deploy/lib/paths.ts";
import { isRunning, type ProcessIdentity } from "../../../deploy/lib/process-identity.ts";
import { signIn, whoAmI } from "../../support/clients/dashboard-client.ts";
import { listen } from "../../support/servers/listen.ts";
import { type Program, startProgram } from "../../support/servers/program.ts";
import { waitFor } from "../../support/wait-for.ts";
import { demo, stateDir } from "./state.ts";

const ALL = [
  ...["auth-token", "delivery", "document", "gateway", "profile", "webhook-registry"],
  ...["mongod", "nats", "s3"],
].sort();

const UP_WITHIN_MS = 240_000;

const startMain = (dir: string, env: Record<string, string> = {}): Program =>
  startProgram(["deploy/local/main.ts", "--state", dir], { PBO_PORT: "0", ...env });

/** The processes that the platform in this directory has started, by the notes it keeps of them. */
function childrenOf(dir: string): Map<string, ProcessIdentity> {
  const notes = join(dir, "run");
  const files = readdirSync(notes).filter((name) => name.endsWith(".pid"));
  return new Map(
    files.map((name) => [name.replace(".pid", ""), JSON.parse(readFileSync(join(notes, name), "utf8"))]),
  );
}

const runningOf = (children: Map<string, ProcessIdentity>): string[] =>
  [...children].filter(([, identity]) => isRunning(identity)).map(([name]) => name);

/** The ports that its servers had at the last start. */
function serverPorts(): number[] {
  const { mongod, nats, s3 } = JSON.parse(readFileSync(statePaths(stateDir).portsFile, "utf8"));
  return [mongod, nats, s3];
}

/** In this order: the later tests go on from the state that the earlier ones leave. */
describe("npm start", () => {
  let main: Program;
  let first: ProcessIdentity;
  let children: Map<string, ProcessIdentity>;
  let killed: { demo: DemoData; cookie: string };
  const blockers: Awaited<ReturnType<typeof listen>>[] = [];
  /** Another suite may have the port already. */
  async function take(port: number): Promise<void> {
    try {
      blockers.push(await listen(createServer(), port));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
  beforeAll(() => {
    children = childrenOf(stateDir);
    first = JSON.parse(readFileSync(statePaths(stateDir).lockFile, "utf8"));
  });
  afterAll(async () => {
    await main?.kill("SIGTERM");
    for (const blocker of blockers) await blocker.close();
  });

  test("on an empty directory: started every server, service and the gateway", async () => {
    expect([...children.keys()].sort()).toEqual(ALL);
    expect(runningOf(children).sort()).toEqual(ALL);
    expect((await fetch(`${demo().baseUrl}/readyz`)).status).toBe(200);
  });

  test("a second time on the same directory: says where the first one is, exits with 1 and harms nothing", async () => {
    const second = startMain(stateDir);
    expect(await second.ended).toMatchObject({ code: 1 });
    expect(second.output()).toContain(`already running (process ${first.pid}) at ${demo().baseUrl}`);
    expect(runningOf(children).sort()).toEqual(ALL);
  });

  test("with settings that are wrong: names every one and exits with 1", async () => {
    const env = { PBO_PORT: "many", PBO_ENV: "production", PBO_NATZ_URL: "x" };
    const wrong = startMain(join(stateDir, "other"), env);
    expect(await wrong.ended).toMatchObject({ code: 1 });
    for (const name of Object.keys(env)) expect(wrong.output()).toContain(name);
  });

  test("killed by kill -9: no child survives", async () => {
    killed = { demo: demo(), cookie: (await signIn(demo())).cookie };
    process.kill(first.pid, "SIGKILL");
    await waitFor(() => runningOf(children).length === 0, "every child to be gone");
  });

  test("started again with the ports of its servers taken: takes others, and what was written is there", async () => {
    const before = serverPorts();
    for (const port of before) await take(port);
    main = startMain(stateDir);
    const isUp = () => main.output().includes("is running.") || main.hasEnded();
    await waitFor(isUp, { timeoutMs: UP_WITHIN_MS, what: "npm start to be up" });
    if (main.hasEnded()) throw new Error(`npm start ended:\n${main.output()}`);
    children = childrenOf(stateDir);
    const defaults = [4222, 27017];
    expect(serverPorts().filter((port) => [...before, ...defaults].includes(port))).toEqual([]);
    expect(demo()).toEqual(killed.demo);
    expect(await whoAmI(killed.demo, killed.cookie)).toMatchObject({ status: 200 });
  });

  test("on SIGTERM: stops everything and exits with 0", async () => {
    expect(await main.kill("SIGTERM")).toMatchObject({ code: 0 });
    expect(main.output()).toContain("Stopped.");
    expect(runningOf(children)).toEqual([]);
    expect(childrenOf(stateDir).size).toBe(0);
  });
});
