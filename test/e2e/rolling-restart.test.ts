/** Two replicas of every process, restarted under load: of each kind one serves while the other is away. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type PlatformProcess, PROCESS_NAMES } from "../../deploy/local/services/service-env.ts";
import { type Load, startLoad } from "../support/clients/balanced-load.ts";
import { dashboardClient, demoLogin, WEBHOOKS } from "../support/clients/dashboard-client.ts";
import { partnerClient } from "../support/clients/partner-client.ts";
import { repetitions } from "../support/repetitions.ts";
import type { Receiver } from "../support/servers/receiver.ts";
import { receiverFor, startPlatform, type TestPlatform } from "../support/stage/platform.ts";
import { type SecondReplicas, startSecondReplicas } from "../support/stage/second-replicas.ts";
import { waitFor } from "../support/wait-for.ts";

/** Above the interval in which the balancer asks, as preStop and stop delay are in a cluster. */
const SETTINGS = { PBO_STOP_DELAY_MS: "1000" };
const WORKERS = 2;
/** A rollout of several at a time, as when a release changes all; one by one in the nightly run. */
const AT_A_TIME = repetitions({ short: 3, nightly: 1 });

let platform: TestPlatform;
let second: SecondReplicas;
let receiver: Receiver;

beforeAll(async () => {
  platform = await startPlatform({ anyServers: true, env: SETTINGS });
  second = await startSecondReplicas(platform);
  receiver = await receiverFor(platform);
  const owner = await dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner"));
  expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
}, 300_000);
afterAll(async () => {
  await second?.stop();
  await platform?.stop();
  await receiver?.close();
}, 120_000);

/** The load must really flow before and after, or nothing is shown. */
const moreCreated = (load: Load, count: number) => {
  const wanted = load.created.length + count;
  return waitFor(() => load.created.length >= wanted, { timeoutMs: 60_000, what: `${count} more creates` });
};

const chunks = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

async function freshToken(): Promise<string> {
  return (await partnerClient(platform.demo)).token;
}

test("no request fails and no event is lost", async () => {
  let token = await freshToken();
  const load = startLoad(
    () => second.gateways,
    () => token,
    WORKERS,
  );
  const restarts: [string, (name: PlatformProcess) => Promise<void>][] = [
    ["first", platform.restart],
    ["second", second.restart],
  ];
  const failedAt: string[] = [];
  try {
    await moreCreated(load, 20);
    for (const [replica, restart] of restarts)
      for (const names of chunks(PROCESS_NAMES, AT_A_TIME)) {
        const before = load.failures.length;
        await Promise.all(names.map(restart));
        await moreCreated(load, 10);
        token = await freshToken();
        for (const failure of load.failures.slice(before)) failedAt.push(`${replica} ${names}: ${failure}`);
      }
  } finally {
    await load.stop();
  }
  expect(failedAt).toEqual([]);
  expect(load.failures).toEqual([]);
  expect(new Set(load.created).size).toBe(load.created.length);

  const heard = () =>
    new Set(receiver.requests.map(({ body }) => JSON.parse(body).correlation.customerId as string));
  const missing = () => {
    const known = heard();
    return load.created.filter((customerId) => !known.has(customerId));
  };
  await waitFor(() => missing().length === 0, {
    timeoutMs: 180_000,
    everyMs: 500,
    what: "an event of every create",
  }).catch((error) => {
    throw new Error(`${error.message}: ${missing().length} of ${load.created.length} are missing`);
  });
}, 600_000);
