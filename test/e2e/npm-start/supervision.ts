/** The processes of `npm start`, as the README's terminal has started it; at night also those of the next one. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { statePaths } from "../../../deploy/lib/paths.ts";
import type { ProcessIdentity } from "../../../deploy/lib/process-identity.ts";
import { signIn, whoAmI } from "../../support/clients/dashboard-client.ts";
import { isNightly } from "../../support/repetitions.ts";
import { childrenOf, type MainProcess, runningOf, startMain } from "../../support/servers/main-process.ts";
import { waitFor } from "../../support/wait-for.ts";
import { demo, stateDir } from "./state.ts";

const ALL = [
  ...["auth-token", "delivery", "document", "gateway", "profile", "webhook-registry"],
  ...["mongod", "nats", "s3"],
].sort();

/** In this order: the later tests go on from the state that the earlier ones leave. */
describe("npm start", () => {
  let main: MainProcess;
  let first: ProcessIdentity;
  let children: Map<string, ProcessIdentity>;
  let killed: { demo: DemoData; cookie: string };
  beforeAll(() => {
    children = childrenOf(stateDir);
    first = JSON.parse(readFileSync(statePaths(stateDir).lockFile, "utf8"));
  });
  afterAll(async () => {
    main?.child.kill("SIGTERM");
    await main?.exited;
  });

  test("on an empty directory: started every server, service and the gateway", async () => {
    expect([...children.keys()].sort()).toEqual(ALL);
    expect(runningOf(children).sort()).toEqual(ALL);
    expect((await fetch(`${demo().baseUrl}/readyz`)).status).toBe(200);
  });

  test("a second time on the same directory: says where the first one is, exits with 1 and harms nothing", async () => {
    const second = startMain(stateDir);
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`already running (process ${first.pid}) at ${demo().baseUrl}`);
    expect(runningOf(children).sort()).toEqual(ALL);
  });

  test("with settings that are wrong: names every one and exits with 1", async () => {
    const env = { PBO_PORT: "many", PBO_ENV: "production", PBO_NATZ_URL: "x" };
    const wrong = startMain(join(stateDir, "other"), env);
    expect(await wrong.exited).toBe(1);
    for (const name of Object.keys(env)) expect(wrong.output()).toContain(name);
  });

  test("killed by kill -9: no child survives", async () => {
    killed = { demo: demo(), cookie: (await signIn(demo())).cookie };
    process.kill(first.pid, "SIGKILL");
    await waitFor(() => runningOf(children).length === 0, {
      what: "every child to be gone",
    });
  });

  if (isNightly) {
    test("started again: what was written is there", async () => {
      main = startMain(stateDir);
      await main.untilUp();
      children = childrenOf(stateDir);
      expect(demo()).toEqual(killed.demo);
      expect(await whoAmI(killed.demo, killed.cookie)).toMatchObject({ status: 200 });
    });

    test("on SIGTERM: stops everything and exits with 0", async () => {
      main.child.kill("SIGTERM");
      expect(await main.exited).toBe(0);
      expect(main.output()).toContain("Stopped.");
      expect(runningOf(children)).toEqual([]);
      expect(childrenOf(stateDir).size).toBe(0);
    });
  }
});
