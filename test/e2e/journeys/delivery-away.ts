/** The delivery routes while the delivery service is stopped: requests are refused and stay undone. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newAccounts } from "../../support/clients/accounts.ts";
import { refused, WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { aroundNow, type WebhookOwner, webhookOwner } from "../../support/clients/webhook-owner.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const DELIVERY_ROUTES = [
  ["GET", "/deliveries"],
  ["GET", `/deliveries/${randomUUID()}`],
  ["POST", `/deliveries/${randomUUID()}/replay`],
  ["POST", "/replay"],
  ["POST", "/test"],
] as const;

let platform: TestPlatform;
let acme: WebhookOwner;

beforeAll(async () => {
  platform = await journeyPlatform();
  acme = await webhookOwner(platform, await newAccounts(platform));
  await acme.register();
  await acme.deliveredOf(await acme.sendTest());
});
afterAll(() => acme?.receiver.close());

test("a stopped delivery service: each route answers 503, first of unknown outcome, then Webhook.DispatcherUnavailable", async () => {
  const before = await acme.history();
  platform.kill("delivery", "SIGSTOP");
  try {
    expect(await acme.owner.post(`${WEBHOOKS}/test`)).toMatchObject({
      status: 503,
      body: refused("Service.OutcomeUnknown"),
    });
    // The gateway notices the silence and sends no more requests.
    await waitFor(async () => {
      const { body } = await acme.owner.post<unknown>(`${WEBHOOKS}/test`);
      return body.error?.code === "Webhook.DispatcherUnavailable";
    }, "the gateway to notice");
    for (const [method, path] of DELIVERY_ROUTES) {
      const { get, post } = acme.owner;
      const { status, body, headers } = await (method === "GET"
        ? get(WEBHOOKS + path)
        : post(WEBHOOKS + path, aroundNow()));
      expect([path, status, body]).toEqual([path, 503, refused("Webhook.DispatcherUnavailable")]);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
    }
  } finally {
    platform.kill("delivery", "SIGCONT");
  }
  await waitFor(async () => (await acme.owner.get(`${WEBHOOKS}/deliveries`)).status === 200, {
    what: "the service to return",
  });
  expect((await acme.history()).items.length).toBeGreaterThanOrEqual(before.items.length);
});

test("a request answered 503 is not carried out when the service returns", async () => {
  // An event whose outcome was unknown may still be on its way, or not even recorded: this one is behind it.
  await acme.deliveredOf(await acme.sendTest());
  await waitFor(async () => (await acme.history("?status=Pending")).total === 0, "all to be sent");
  const before = await acme.history();
  const received = acme.receiver.requests.length;
  platform.kill("delivery", "SIGSTOP");
  try {
    const answers = await Promise.all([
      acme.owner.post(`${WEBHOOKS}/test`),
      acme.owner.post(`${WEBHOOKS}/replay`, aroundNow()),
      acme.owner.post(`${WEBHOOKS}/deliveries/${before.items[0]?.id}/replay`),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
  } finally {
    platform.kill("delivery", "SIGCONT");
  }
  await waitFor(async () => (await acme.owner.get(`${WEBHOOKS}/deliveries`)).status === 200, {
    what: "the service to return",
  });
  // Behind all that waited: when it is through, everything before it is.
  const { id } = await acme.deliveredOf(await acme.sendTest());
  const after = await acme.history();
  expect([after.total, after.items[0]?.id]).toEqual([(before.total ?? 0) + 1, id]);
  expect(acme.receiver.requests).toHaveLength(received + 1);
});
