/** Processes started as in production: faults that stop the start, and the message of each. */
import { afterAll, describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import type { ProcessName } from "../../../shared/config/config.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import type { Program } from "../../support/servers/program.ts";
import { aTestNamespace, testServerSettings, testServers } from "../../support/servers/servers.ts";
import { startServiceProcess } from "../../support/stage/service-process.ts";
import { waitFor } from "../../support/wait-for.ts";

const started: Program[] = [];
afterAll(() => Promise.all(started.map((one) => one.kill("SIGKILL"))));

function start(name: ProcessName, settings: Record<string, string>): Program {
  const one = startServiceProcess(name, settings);
  started.push(one);
  return one;
}

const client = new mongoose.mongo.MongoClient(testServers().mongodbUri);
afterAll(() => client.close());
const openDatabase = async (name: string) => (await client.connect()).db(name);

const gatewayKeys = newGatewayKeys();
const KEYS = `k1:${Buffer.alloc(32).toString("base64")}`;
const good = (): Record<string, string> => ({
  ...testServerSettings(aTestNamespace()),
  PBO_IDENTITY_KEYS: KEYS,
  PBO_TOKEN_KEYS: KEYS,
  PBO_WEBHOOK_KEYS: KEYS,
  PBO_GATEWAY_PRIVATE_KEY: gatewayKeys.privateKey,
  PBO_GATEWAY_PUBLIC_KEYS: gatewayKeys.publicKey,
  PBO_BASE_URL: "http://127.0.0.1",
  PBO_STOP_DELAY_MS: "0",
});
const linesOf = (text: string): Record<string, unknown>[] =>
  text
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));

describe("a process with a bad configuration", () => {
  test("exits with 1 and one message that names every wrong setting, and prints no value of them", async () => {
    const secret = "sesame-77";
    const { code, stdout, stderr } = await start("gateway", {
      PBO_NATS_URL: `http://${secret}`,
      PBO_BASE_URL: "http://partner.example",
      PBO_PORT: "abc",
      PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
      PBO_NAMESPASE: "typo",
      PBO_NATS_PASSWORD_FILE: `/nowhere/${secret}`,
    }).ended;
    expect(code).toBe(1);
    const wrong = [
      "PBO_NATS_URL",
      "PBO_BASE_URL",
      "PBO_PORT",
      "PBO_WEBHOOK_ALLOW_LOOPBACK",
      "PBO_NAMESPASE",
      "PBO_NATS_PASSWORD_FILE",
      "PBO_GATEWAY_PRIVATE_KEY",
      "PBO_NATS_USER",
    ];
    expect(stderr).toContain(`The configuration has ${wrong.length} problem(s):`);
    for (const name of wrong) expect(stderr).toContain(`  - ${name} `);
    expect(stdout + stderr).not.toContain(secret);
    expect(stderr).not.toMatch(/^\s+at /m);
  });
});

describe("a process whose servers are away", () => {
  const shortStart = { PBO_START_DEADLINE_MS: "4000" };
  const nowhere = async () => `127.0.0.1:${await freePort()}`;

  test.each<[ProcessName]>([["gateway"], ["profile"]])(
    "%s without NATS: exits with 1 at its deadline and says so",
    async (name) => {
      const settings = { ...good(), ...shortStart, PBO_NATS_URL: `nats://${await nowhere()}` };
      const { code, stderr } = await start(name, settings).ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(new RegExp(`^${name}: not up after 4000 ms; cannot reach: .*nats`, "m"));
    },
  );

  test("profile without MongoDB: exits with 1 at its deadline and says so", async () => {
    const settings = {
      ...good(),
      // A busy machine reaches NATS within this time.
      PBO_START_DEADLINE_MS: "15000",
      PBO_MONGODB_URI: `mongodb://${await nowhere()}/?replicaSet=r`,
    };
    const { code, stderr } = await start("profile", settings).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/^profile: not up after 15000 ms; cannot reach: mongodb\.$/m);
  });
});

describe("a service before its database was migrated", () => {
  test("exits with 1, names what is missing and the command, and has built nothing", async () => {
    const settings = good();
    const { code, stderr } = await start("delivery", settings).ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^delivery: The database \w+ lacks index .*history.* of deliveries; .*: run `npm run admin -- migrate` first\.$/m,
    );
    const database = await openDatabase(databaseName(settings.PBO_NAMESPACE ?? "", "delivery"));
    expect(await database.collections()).toEqual([]);
  });
});

describe("a gateway that is told to stop", () => {
  test.each<[NodeJS.Signals]>([["SIGTERM"], ["SIGINT"]])(
    "by %s: says so, closes its listener and exits with 0",
    async (signal) => {
      const port = String(await freePort());
      const gateway = start("gateway", { ...good(), PBO_PORT: port });
      const url = `http://127.0.0.1:${port}`;
      await waitFor(async () => (await fetch(`${url}/healthz`)).status === 200, "the gateway");
      const { code, stdout } = await gateway.kill(signal);
      expect(code).toBe(0);
      const messages = linesOf(stdout).map(({ msg }) => msg);
      expect(messages).toEqual(
        expect.arrayContaining(["process.started", "process.stopping", "process.stopped"]),
      );
      await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    },
  );
});
