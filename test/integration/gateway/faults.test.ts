import { afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { ROUTES } from "../../../gateway/routes.ts";
import { runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { openRaw, parseAnswer, untilClosed } from "../../support/http/raw-http.ts";
import { startGatewayStage } from "../../support/stage/gateway-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const LIST = "/api/partner/v1/business-profiles";

const stage = stageOfFile(() => startGatewayStage({ PBO_REQUEST_TIMEOUT_MS: "2000" }));
let partner: Record<string, string>;
let owner: Record<string, string>;
beforeAll(async () => {
  const made = await stage.partner();
  partner = { Authorization: `Bearer ${await stage.token(made)}` };
  owner = { Cookie: await stage.cookie(await stage.user(made.partnerId, "Owner")) };
});
afterEach(() => stage.reset());

const create = () =>
  stage.request(LIST, {
    method: "POST",
    headers: { ...partner, "Content-Type": "application/json" },
    body: "{}",
  });
const list = (url?: string) => stage.request(LIST, { headers: partner }, url);

/** An action that answers when the test says so. */
function gate() {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  return { open, script: () => promise.then(() => ({ late: true })) };
}

describe("a service that does not answer", () => {
  test("a service that hangs: 503 Service.Unavailable with Retry-After at the call's deadline, and others answer meanwhile", async () => {
    const { script, open } = gate();
    stage.script("profile.list", script);
    const hanging = Promise.all(Array.from({ length: 20 }, () => list()));
    expect(await stage.request("/api/ping")).toMatchObject({ status: 200 });
    for (const answer of await hanging) {
      expect(answer).toMatchObject({ status: 503, body: { error: { code: "Service.Unavailable" } } });
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    open();
  });

  test("an instance that hangs under creates: what comes later is made all the same", async () => {
    const { script, open } = gate();
    stage.script("profile.create", () => (stage.calls.length <= 3 ? script() : { late: false }));
    const first: ReturnType<typeof create>[] = [];
    while (first.length < 3) {
      first.push(create());
      await waitFor(() => stage.calls.length === first.length, "the create to be under way");
    }
    expect(await create()).toMatchObject({ status: 200, body: { value: { late: false } } });
    open();
    await Promise.all(first);
  });

  test("the delivery service that hangs: its own code, because nothing was changed", async () => {
    const { script, open } = gate();
    stage.script("delivery.listDeliveries", script);
    const answer = await stage.request("/api/customer/v1/partner-profile/webhooks/deliveries", {
      headers: owner,
    });
    expect(answer).toMatchObject({
      status: 503,
      body: { value: null, isSuccess: false, error: { code: "Webhook.DispatcherUnavailable" } },
    });
    open();
  });

  test("a change under way in a service that hangs: the outcome is unknown, and the answer says where to look", async () => {
    const { script, open } = gate();
    stage.script("delivery.sendTest", script);
    const answer = await stage.request("/api/customer/v1/partner-profile/webhooks/test", {
      method: "POST",
      headers: owner,
    });
    expect(answer).toMatchObject({
      status: 503,
      body: {
        error: {
          code: "Service.OutcomeUnknown",
          description: expect.stringContaining(
            "The list of deliveries shows within half a minute whether it was sent.",
          ),
        },
      },
    });
    // Clients repeat by themselves what has one.
    expect(answer.headers.get("retry-after")).toBeNull();
    expect(stage.calls[0]?.meta.endsAt).toEqual(expect.any(Number));
    open();
  });

  test("a service that failed and recovered: served again, without a restart", async () => {
    stage.script("profile.list", () => {
      throw new Error("broken");
    });
    for (let i = 0; i < 30; i += 1) expect([500, 503]).toContain((await list()).status);
    stage.reset();
    await waitFor(async () => (await list()).status === 200, "the circuit to close");
  });

  test("a service that is gone: 503 for its routes, readiness names it, and all is served when it is back", async () => {
    const { delivery } = stage.behind;
    const services = delivery.services.filter(({ name }) => name === "delivery");
    for (const service of services) await delivery.destroyService(service);
    const isReady = async () => (await stage.request("/readyz")).body as { ready: boolean; checks: object };
    await waitFor(async () => !(await isReady()).ready, "readiness to notice");
    expect(await isReady()).toMatchObject({
      ready: false,
      checks: { delivery: "unavailable", profile: "ok" },
    });
    expect((await stage.request("/readyz")).status).toBe(503);

    const rows = ROUTES.filter((row) => row.action.startsWith("delivery.") && row.method === "GET");
    expect(rows.map(({ action }) => action)).toContain("delivery.listDeliveries");
    for (const row of rows) {
      const headers = row.auth === "partner" ? partner : owner;
      const answer = await stage.request(row.path.replaceAll(/:\w+/g, "x"), { headers });
      const code = row.unavailableCode ?? "Service.Unavailable";
      expect(answer).toMatchObject({ status: 503, body: { isSuccess: false, error: { code } } });
      expect(answer.headers.get("retry-after")).toBe("1");
      // A stranger learns nothing of it.
      expect((await stage.request(row.path)).status).toBe(401);
    }
    expect(await stage.request("/api/ping")).toMatchObject({ status: 200 });

    for (const { originalSchema } of services) delivery.createService(originalSchema);
    await waitFor(async () => (await isReady()).ready, "readiness to recover");
  });
});

describe("a gateway that is stopping", () => {
  const second = () => stage.startGateway();
  const drain = (broker: ServiceBroker) => runtimeOf(broker).lifecycle.drain();

  test("is not ready any more, and still answers those who did not hear of it", async () => {
    const { broker, url } = await second();
    runtimeOf(broker).health.startDraining();
    expect(await stage.request("/readyz", {}, url)).toMatchObject({
      status: 503,
      body: { ready: false, checks: { draining: "draining" } },
    });
    expect(await stage.request("/healthz", {}, url)).toMatchObject({ status: 200 });
    const answer = await list(url);
    expect(answer.status).toBe(200);
    await stage.stopBroker(broker);
  });

  test("says so at once, also when it has just said that all is well", async () => {
    const { broker, url } = await second();
    const isReady = async () => (await stage.request("/readyz", {}, url)).status === 200;
    await waitFor(isReady, "the second gateway to be ready");
    runtimeOf(broker).health.startDraining();
    expect(await isReady()).toBe(false);
    await stage.stopBroker(broker);
  });

  test("lets the request in hand finish, takes no new connection, and closes the one that it has", async () => {
    const { broker, url } = await second();
    const { script, open } = gate();
    stage.script("profile.list", script);
    const socket = await openRaw(url);
    const received = untilClosed(socket);
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: x\r\nAuthorization: ${partner.Authorization}\r\n\r\n`);
    await waitFor(() => stage.calls.length === 1, "the call");

    runtimeOf(broker).health.startDraining();
    const drained = drain(broker);
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
    open();
    const answer = parseAnswer(await received);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual({ isSuccess: true, value: { late: true } });
    await drained;
    await stage.stopBroker(broker);
  });

  test("does not wait for connections that nobody uses", async () => {
    const { broker, url } = await second();
    const silent = await openRaw(url);
    const idle = await openRaw(url);
    idle.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise<void>((resolve) => idle.once("data", () => resolve()));
    const closed = untilClosed(idle);
    await drain(broker);
    await closed;
    silent.destroy();
    await stage.stopBroker(broker);
  });
});
