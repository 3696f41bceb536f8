/** The routes of the webhook endpoint through the gateway, with sessions, against real processes. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { isLoopbackForm, NOT_HTTPS_URLS, NOT_PUBLIC_URLS } from "../../support/builders/refused-urls.ts";
import { barredOwner, newAccounts } from "../../support/clients/accounts.ts";
import {
  type DashboardClient,
  dashboardClient,
  demoLogin,
  refused,
  WEBHOOKS,
} from "../../support/clients/dashboard-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

type EndpointRecord = {
  url: string | null;
  status: string;
  consecutiveFailures: number;
  disabledReason: string | null;
};

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ACME = 0;
const GLOBEX = 1;

let platform: TestPlatform;
let demo: DemoData;
let receiver: Receiver;
let owner: DashboardClient;
let other: DashboardClient;

beforeAll(async () => {
  platform = await journeyPlatform();
  demo = await newAccounts(platform);
  ({ owner, receiver } = await webhookOwner(platform, demo, ACME));
  other = await dashboardClient(platform.baseUrl, demoLogin(demo, "Developer", GLOBEX));
});
afterEach(() => receiver.answer(200));
afterAll(() => receiver?.close());

/** Without its activity: deliveries of earlier tests move it while a test compares the record. */
const record = async (client = owner): Promise<EndpointRecord> => {
  const { body } = await client.get<EndpointRecord & { activity: unknown }>(WEBHOOKS);
  if (!body.value) throw new Error(`no endpoint: ${JSON.stringify(body)}`);
  const { activity: _moves, ...endpoint } = body.value;
  return endpoint;
};

describe("the life of a webhook endpoint", () => {
  test("before it is registered: NotRegistered, and nothing to rotate, enable, test or replay", async () => {
    const answer = await owner.get(WEBHOOKS);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      value: {
        url: null,
        status: "NotRegistered",
        consecutiveFailures: 0,
        degradedSince: null,
        disabledAt: null,
        disabledReason: null,
        secrets: [],
        activity: null,
      },
      isSuccess: true,
      error: null,
    });
    for (const path of ["/rotate-secret", "/enable"]) {
      const { status, body } = await owner.post(WEBHOOKS + path);
      expect([status, body]).toEqual([404, refused("Webhook.EndpointNotFound")]);
    }
  });

  test("POST registers it and shows the secret once; a supplied secret is ignored", async () => {
    const { status, body, headers } = await owner.post(WEBHOOKS, {
      url: receiver.url(),
      webhookSecret: "whsec_mine",
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      value: {
        url: receiver.url(),
        webhookSecret: expect.stringMatching(SECRET),
        message: expect.any(String),
      },
      isSuccess: true,
      error: null,
    });
    expect(headers.get("cache-control")).toContain("no-store");
    expect(await record()).toMatchObject({ url: receiver.url(), status: "Active" });
    expect(JSON.stringify((await owner.get(WEBHOOKS)).body)).not.toContain("whsec_");
  });

  test("POST again replaces the URL and shows no secret", async () => {
    const { body } = await owner.post(WEBHOOKS, { url: receiver.url("/second") });
    expect(body.value).toEqual({
      url: receiver.url("/second"),
      webhookSecret: null,
      message: expect.any(String),
    });
    expect(await record()).toMatchObject({ url: receiver.url("/second"), status: "Active" });
  });

  test("PUT replaces the URL and keeps the secret", async () => {
    const { status, body } = await owner.put(WEBHOOKS, { url: receiver.url() });
    expect([status, body.value]).toEqual([200, { webhookSecret: null, message: expect.any(String) }]);
  });

  test("PUT of a partner without a webhook registers it", async () => {
    const { body } = await other.put(WEBHOOKS, { url: receiver.url("/globex") });
    expect(body.value).toEqual({ webhookSecret: expect.stringMatching(SECRET), message: expect.any(String) });
    expect(await record(other)).toMatchObject({ url: receiver.url("/globex") });
    expect(await record(owner)).toMatchObject({ url: receiver.url() });
  });

  test("rotate-secret answers the new secret and the end of the previous one", async () => {
    const { status, body } = await owner.post<{ previousSecretExpiresAt: string }>(
      `${WEBHOOKS}/rotate-secret`,
    );
    expect(status).toBe(200);
    expect(body.value).toEqual({
      webhookSecret: expect.stringMatching(SECRET),
      previousSecretExpiresAt: expect.stringMatching(TIME),
      message: expect.any(String),
    });
    const hours = (Date.parse(body.value?.previousSecretExpiresAt ?? "") - Date.now()) / 3_600_000;
    expect(Math.round(hours)).toBe(24);
  });
});

describe("who may", () => {
  const changes = [
    ["POST", ""],
    ["PUT", ""],
    ["POST", "/rotate-secret"],
    ["POST", "/enable"],
  ] as const;
  const send = (client: DashboardClient, method: "POST" | "PUT", path: string) =>
    method === "PUT"
      ? client.put(WEBHOOKS + path, { url: receiver.url() })
      : client.post(WEBHOOKS + path, { url: receiver.url() });

  test.each(changes)("a stranger may not %s %s: 401", async (method, path) => {
    const stranger = await dashboardClient(platform.baseUrl);
    const { status, body } = await send(stranger, method, path);
    expect([status, body]).toEqual([401, refused("Partner.NotAuthenticated")]);
    expect((await stranger.get(WEBHOOKS)).status).toBe(401);
  });

  test.each(changes)("an analyst, who has no partner, may not %s %s: 401", async (method, path) => {
    const [login] = demo.analysts;
    const analyst = await dashboardClient(platform.baseUrl, login);
    const { status, body } = await send(analyst, method, path);
    expect([status, body]).toEqual([401, refused("Partner.NotAuthenticated")]);
  });

  test.each(changes)("a Viewer may read but not %s %s: 403", async (method, path) => {
    const viewer = await dashboardClient(platform.baseUrl, demoLogin(demo, "Viewer"));
    expect((await viewer.get(WEBHOOKS)).status).toBe(200);
    const { status, body } = await send(viewer, method, path);
    expect([status, body]).toEqual([403, refused("Partner.InsufficientRole")]);
  });

  test.each(["Partner.OnboardingNotApproved", "Partner.Inactive"] as const)(
    "nobody of a partner that is refused with %s: 409",
    async (code) => {
      const client = await barredOwner(platform, code);
      for (const [method, path] of changes) {
        const answer = await waitFor(
          async () => {
            const { status, body } = await send(client, method, path);
            return status === 409 && body;
          },
          { what: `${method} ${path} to be refused with 409` },
        );
        expect(answer).toEqual(refused(code));
      }
    },
  );
});

describe("a URL that is refused", () => {
  const rows = [...NOT_PUBLIC_URLS.filter(({ url }) => !isLoopbackForm(url)), ...NOT_HTTPS_URLS];

  test("has its code, with POST and with PUT, and changes nothing", async () => {
    const before = await record();
    for (const { url, code } of rows) {
      const posted = await owner.post(WEBHOOKS, { url });
      expect([url, posted.status, posted.body]).toEqual([url, 400, refused(code)]);
      const put = await owner.put(WEBHOOKS, { url });
      expect([url, put.status, put.body.error?.code]).toEqual([url, 400, code]);
    }
    expect(await record()).toEqual(before);
  });

  test("cannot be resolved: Webhook.UrlUnresolvable", async () => {
    const { status, body } = await owner.post(WEBHOOKS, { url: "https://no-such-host.invalid/hook" });
    expect([status, body]).toEqual([400, refused("Webhook.UrlUnresolvable")]);
  });

  test.each([
    [{}, "Webhook.UrlNotHttps"],
    [{ url: null }, "Webhook.UrlNotHttps"],
    [{ url: { $gt: "" } }, "Webhook.UrlNotHttps"],
    [{ url: ["https://example.com"] }, "Webhook.UrlNotHttps"],
    [[], "Webhook.UrlNotHttps"],
  ])("the body %j: 400 %s", async (body, code) => {
    const answer = await owner.post(WEBHOOKS, body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, code]);
  });
});

describe("a disabled endpoint", () => {
  test("is disabled by two 410; enable answers what was skipped and a replay that delivers it", async () => {
    receiver.answer(410);
    await owner.put(WEBHOOKS, { url: receiver.url("/gone") });
    expect((await owner.post(`${WEBHOOKS}/test`)).status).toBe(200);
    await waitFor(async () => (await record()).status === "Disabled", {
      what: "the endpoint to be disabled",
    });
    expect(await record()).toMatchObject({
      disabledReason: "EndpointGone",
      disabledAt: expect.stringMatching(TIME),
    });
    const test = await owner.post(`${WEBHOOKS}/test`);
    expect([test.status, test.body]).toEqual([400, refused("Webhook.EndpointDisabled")]);

    receiver.answer(200);
    const { status, body } = await owner.post<{ suggestedReplay: { from: string; to: string } }>(
      `${WEBHOOKS}/enable`,
    );
    expect([status, body]).toEqual([
      200,
      {
        value: {
          status: "Active",
          skipped: 1,
          suggestedReplay: { from: expect.stringMatching(TIME), to: expect.stringMatching(TIME) },
        },
        isSuccess: true,
        error: null,
      },
    ]);
    const replay = await owner.post(`${WEBHOOKS}/replay`, {
      ...body.value?.suggestedReplay,
      includeUnrouted: true,
    });
    expect([replay.status, replay.body.value]).toEqual([
      200,
      { created: 1, replaySeries: expect.any(String) },
    ]);
    await waitFor(
      () =>
        receiver.requests.some(({ path, headers }) => path === "/gone" && headers["svc-replay"] === "true"),
      { what: "the event that was given up" },
    );
    expect(await record()).toMatchObject({ status: "Active", consecutiveFailures: 0, disabledReason: null });
  });

  test("is enabled by registering a URL, and delivers again", async () => {
    receiver.answer(410);
    await owner.put(WEBHOOKS, { url: receiver.url("/gone") });
    await owner.post(`${WEBHOOKS}/test`);
    await waitFor(async () => (await record()).status === "Disabled", {
      what: "the endpoint to be disabled",
    });
    receiver.answer(200);
    const { body } = await owner.post(WEBHOOKS, { url: receiver.url("/alive") });
    expect(body.value).toMatchObject({ webhookSecret: null });
    expect(await record()).toMatchObject({ status: "Active", url: receiver.url("/alive") });
    await owner.post(`${WEBHOOKS}/test`);
    await waitFor(() => receiver.requests.some(({ path }) => path === "/alive"), { what: "the test event" });
  });

  test("cannot be enabled while the delivery service is away: 503, nothing changed, and then it can", async () => {
    receiver.answer(410);
    await owner.put(WEBHOOKS, { url: receiver.url("/gone") });
    await owner.post(`${WEBHOOKS}/test`);
    await waitFor(async () => (await record()).status === "Disabled", {
      what: "the endpoint to be disabled",
    });
    const before = await record();
    process.kill(platform.pidOf("delivery") ?? 0, "SIGSTOP");
    try {
      const { status, body, headers } = await owner.post(`${WEBHOOKS}/enable`);
      expect([status, body]).toEqual([503, refused("Webhook.DispatcherUnavailable")]);
      expect(headers.get("retry-after")).toMatch(/^\d+$/);
    } finally {
      process.kill(platform.pidOf("delivery") ?? 0, "SIGCONT");
    }
    expect(await record()).toEqual(before);
    await waitFor(async () => (await owner.post(`${WEBHOOKS}/enable`)).status === 200, {
      what: "the enabling",
    });
    expect(await record()).toMatchObject({ status: "Active" });
  });
});

describe("what the processes leave behind", () => {
  test("no secret in any log", async () => {
    const { body } = await owner.post<{ webhookSecret: string }>(`${WEBHOOKS}/rotate-secret`);
    await owner.post(`${WEBHOOKS}/test`);
    const key = body.value?.webhookSecret.slice("whsec_".length, -1) ?? "none";
    for (const name of ["gateway", "webhook-registry", "delivery"] as const) {
      expect(platform.logs(name)).not.toContain(key);
      expect(platform.logs(name)).not.toContain("whsec_");
    }
  });
});
