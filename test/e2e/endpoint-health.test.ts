/** The health of an endpoint through HTTP: degraded and healed, degraded and disabled, enabled and made good. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import {
  type DashboardClient,
  dashboardClient,
  demoLogin,
  WEBHOOKS,
} from "../support/clients/dashboard-client.ts";
import type { Receiver } from "../support/servers/receiver.ts";
import type { Page } from "../support/stage/delivery-stage.ts";
import { receiverFor, startPlatform, type TestPlatform } from "../support/stage/platform.ts";
import { waitFor } from "../support/wait-for.ts";

/** The first retry is far off; those behind it come at once, so that a delivery can be given up within a test. */
const SCHEDULE = "0,25,0,0,0,0,0,0";

let platform: TestPlatform;
const receivers: Receiver[] = [];

beforeAll(async () => {
  platform = await startPlatform({
    anyServers: true,
    services: ["gateway", "auth-token", "webhook-registry", "delivery"],
    env: {
      PBO_DELIVERY_RETRY_SCHEDULE: SCHEDULE,
      PBO_WEBHOOK_DISABLED_AFTER_MS: "5000",
      PBO_WEBHOOK_SWEEP_MS: "100",
    },
  });
}, 180_000);
afterAll(async () => {
  await Promise.all(receivers.map((receiver) => receiver.close()));
  await platform?.stop();
}, 60_000);

async function aPartner(index: number): Promise<{ owner: DashboardClient; receiver: Receiver }> {
  const receiver = await receiverFor(platform);
  receivers.push(receiver);
  const owner = await dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner", index));
  expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
  return { owner, receiver };
}

const statusOf = async (owner: DashboardClient) =>
  (await owner.get<{ status: string }>(WEBHOOKS)).body.value?.status;
const untilStatus = (owner: DashboardClient, status: string) =>
  waitFor(async () => (await statusOf(owner)) === status, {
    what: `the endpoint to be ${status}`,
  });
const total = async (owner: DashboardClient, query: string) =>
  (await owner.get<Page>(`${WEBHOOKS}/deliveries?${query}`)).body.value?.total;
const sendTests = async (owner: DashboardClient, count: number) => {
  for (let i = 0; i < count; i += 1) expect((await owner.post(`${WEBHOOKS}/test`)).status).toBe(200);
};

describe("an endpoint", () => {
  test("Active, Degraded at five failures, Active at the first success, and its waiting retries come before their time", async () => {
    const { owner, receiver } = await aPartner(0);
    receiver.answer(500);
    await sendTests(owner, 5);
    await untilStatus(owner, "Degraded");
    expect(await total(owner, "status=Pending")).toBe(5);
    receiver.answer(200);
    const healedAt = Date.now();
    await sendTests(owner, 1);
    await untilStatus(owner, "Active");
    await waitFor(async () => (await total(owner, "status=Delivered")) === 6, { what: "all six" });
    const { items } = (await owner.get<Page>(`${WEBHOOKS}/deliveries`)).body.value as Page;
    const retried = items.filter(({ attemptCount }) => attemptCount === 2);
    expect(retried).toHaveLength(5);
    for (const { occurredAt, completedAt } of retried) {
      expect(Date.parse(completedAt ?? "")).toBeGreaterThanOrEqual(healedAt);
      expect(Date.parse(completedAt ?? "") - Date.parse(occurredAt)).toBeLessThan(25_000);
    }
  });

  test("Degraded, Disabled after long without success; enabled, it says what it missed, and the replay delivers it", async () => {
    const { owner, receiver } = await aPartner(1);
    receiver.answer(500);
    await sendTests(owner, 2);
    await untilStatus(owner, "Disabled");
    const record = (await owner.get<{ disabledReason: string }>(WEBHOOKS)).body.value;
    expect(record).toMatchObject({ status: "Disabled", disabledReason: "ConsecutiveFailures" });
    await waitFor(async () => (await total(owner, "status=Exhausted")) === 2, {
      what: "both to be given up",
    });

    receiver.answer(200);
    const enabled = (
      await owner.post<{ status: string; skipped: number; suggestedReplay: object }>(`${WEBHOOKS}/enable`)
    ).body.value;
    expect(enabled).toMatchObject({
      status: "Active",
      suggestedReplay: { from: expect.any(String), to: expect.any(String) },
    });
    const replay = await owner.post<{ created: number }>(`${WEBHOOKS}/replay`, {
      from: new Date(Date.now() - 3_600_000).toISOString(),
      to: new Date().toISOString(),
      status: "Exhausted",
    });
    expect(replay.body.value).toEqual({ created: 2 });
    await waitFor(async () => (await total(owner, "status=Delivered")) === 2, { what: "the replays" });
    expect(await statusOf(owner)).toBe("Active");
  }, 120_000);
});
