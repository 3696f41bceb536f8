import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import { startRegistryStage } from "../../support/stage/registry-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const HOUR_MS = 3_600_000;
const fail = {};
const success = { ok: true, statusCode: 200, errorKind: null };
const gone = { statusCode: 410 };

let partnerId: string;
const stage = stageOfFile(startRegistryStage);

async function aPartner(): Promise<string> {
  partnerId = randomUUID();
  await stage.register(partnerId);
  return partnerId;
}
const five = [fail, fail, fail, fail, fail];

describe("reportHealth", () => {
  test("counts failures, degrades at the fifth, heals at the first success", async () => {
    await aPartner();
    const active = { status: "Active", healed: false, disabled: false };
    expect(await stage.reportEach(partnerId, fail, fail)).toEqual({ ...active, consecutiveFailures: 2 });
    expect(await stage.reportEach(partnerId, fail, fail, fail)).toMatchObject({ status: "Degraded" });
    expect(await stage.read(partnerId)).toMatchObject({
      status: "Degraded",
      consecutiveFailures: 5,
      degradedSince: expect.stringMatching(/Z$/),
      disabledAt: null,
    });
    const healed = { ...active, consecutiveFailures: 0, healed: true };
    expect(await stage.reportEach(partnerId, success)).toEqual(healed);
    expect(await stage.read(partnerId)).toMatchObject({ status: "Active", degradedSince: null });
  });

  test("the report that healed, sent again, says healed again; another success does not", async () => {
    await aPartner();
    await stage.reportEach(partnerId, ...five);
    const at = new Date(stage.clock.now() + 1_000).toISOString();
    expect(await stage.report(partnerId, { ...success, at })).toMatchObject({ healed: true });
    expect(await stage.report(partnerId, { ...success, at })).toMatchObject({
      healed: true,
      status: "Active",
    });
    expect(await stage.reportEach(partnerId, success)).toMatchObject({ healed: false });
  });

  test("a success on a healthy endpoint writes nothing", async () => {
    await aPartner();
    const before = await stage.collection.findOne({ partnerId });
    await stage.reportEach(partnerId, success, success);
    expect(await stage.collection.findOne({ partnerId })).toEqual(before);
  });

  test("fifty reports at once all count, and none twice", async () => {
    await aPartner();
    const base = stage.clock.now();
    const reports = Array.from({ length: 4 }, (_, index) => ({
      at: new Date(base + index + 1).toISOString(),
    }));
    await stage.report(partnerId, ...reports);
    await Promise.all(Array.from({ length: 50 }, () => stage.report(partnerId, ...reports)));
    expect(await stage.read(partnerId)).toMatchObject({ status: "Active", consecutiveFailures: 4 });
  });

  test("a change of status is announced and logged; a mere count is not announced", async () => {
    await aPartner();
    await stage.reportEach(partnerId, ...five);
    await waitFor(() => stage.changes.filter((id) => id === partnerId).length === 2, {
      what: "registration and degrading to be announced",
    });
    const line = stage.log.find(
      (text) => text.includes("endpoint.health_changed") && text.includes(partnerId),
    );
    expect(JSON.parse(line ?? "{}")).toMatchObject({ from: "Active", to: "Degraded" });
  });

  test("an attempt to the old URL that ends after the URL was replaced: does not count, whatever it came to", async () => {
    await aPartner();
    const [oldUrl, newUrl] = ["https://localhost:8443/hook", "https://localhost:9443/new"];
    await stage.reportEach(partnerId, fail);
    await stage.call("webhook-registry.replace", partnerId, { url: newUrl });
    const unmoved = { status: "Active", consecutiveFailures: 0, healed: false, disabled: false };
    const toOldUrl = { ...gone, url: oldUrl };
    expect(await stage.reportEach(partnerId, toOldUrl, toOldUrl)).toEqual(unmoved);
    const toNewUrl = { ...gone, url: newUrl };
    expect(await stage.reportEach(partnerId, toNewUrl, { ...success, url: oldUrl })).toMatchObject({
      consecutiveFailures: 1,
    });
    expect(await stage.reportEach(partnerId, toNewUrl)).toMatchObject({ status: "Disabled" });
  });

  test("for a partner without an endpoint: 404", async () => {
    await expect(stage.report(randomUUID(), fail)).rejects.toMatchObject({
      type: "Webhook.EndpointNotFound",
    });
  });
});

describe("72 hours without success and an Exhausted delivery", () => {
  test("disable the endpoint by the clock alone", async () => {
    await aPartner();
    await stage.reportEach(partnerId, ...five, fail, fail, { exhausted: true });
    expect(await stage.read(partnerId)).toMatchObject({ status: "Degraded" });
    stage.clock.move(72 * HOUR_MS);
    await waitFor(async () => (await stage.read(partnerId)).status === "Disabled", "the sweep");
    expect(await stage.read(partnerId)).toMatchObject({
      disabledReason: "ConsecutiveFailures",
      consecutiveFailures: 8,
    });
    expect(await stage.forDelivery(partnerId)).toMatchObject({ status: "Disabled" });
    const changes = stage.log.filter(
      (line) => line.includes("endpoint.health_changed") && line.includes(partnerId),
    );
    expect(JSON.parse(changes.at(-1) ?? "{}")).toMatchObject({ from: "Degraded", to: "Disabled" });
  });

  test("without an Exhausted delivery the endpoint stays Degraded", async () => {
    const failing = await aPartner();
    await stage.reportEach(failing, ...five, fail);
    const overdue = await aPartner();
    await stage.reportEach(overdue, ...five, { exhausted: true });
    stage.clock.move(72 * HOUR_MS);
    await waitFor(async () => (await stage.read(overdue)).status === "Disabled", "the sweep");
    expect(await stage.read(failing)).toMatchObject({ status: "Degraded" });
  });
});

describe("a disabled endpoint", () => {
  let delivery: { stop(): Promise<void> } | null = null;
  const asked: unknown[] = [];

  /** Stands in for the delivery service, which has its own tests. */
  async function standIn(answer: () => unknown): Promise<void> {
    delivery = await stage.standIn({
      name: "delivery",
      actions: {
        countSkipped: (ctx) => {
          asked.push(ctx.params);
          return answer();
        },
      },
    });
  }
  afterEach(async () => {
    asked.length = 0;
    await delivery?.stop();
    delivery = null;
  });

  async function aDisabledPartner(): Promise<{ disabledAt: string }> {
    await aPartner();
    await stage.reportEach(partnerId, gone, gone);
    const { disabledAt } = await stage.read(partnerId);
    return { disabledAt: disabledAt ?? "" };
  }

  test("enable answers what was skipped and a replay that covers it, and begins the counts anew", async () => {
    const { disabledAt } = await aDisabledPartner();
    await standIn(() => ({ skipped: 12, oldestOccurredAt: null }));
    stage.clock.move(5 * HOUR_MS);
    const answer = await stage.call<{ suggestedReplay: { from: string; to: string } }>(
      "webhook-registry.enable",
      partnerId,
    );
    expect(answer).toEqual({
      status: "Active",
      skipped: 12,
      suggestedReplay: { from: disabledAt, to: expect.stringMatching(/Z$/) },
    });
    expect(Date.parse(answer.suggestedReplay.to)).toBeGreaterThanOrEqual(
      Date.parse(disabledAt) + 5 * HOUR_MS,
    );
    expect(asked).toEqual([{ partnerId, since: disabledAt }]);
    expect(await stage.read(partnerId)).toMatchObject({
      ...{ url: "https://localhost:8443/hook", status: "Active", consecutiveFailures: 0 },
      ...{ degradedSince: null, disabledAt: null, disabledReason: null },
    });
    expect(await stage.reportEach(partnerId, gone)).toMatchObject({ consecutiveFailures: 1 });
  });

  test("an event that occurred just before is inside the suggested window", async () => {
    const { disabledAt } = await aDisabledPartner();
    const oldestOccurredAt = new Date(Date.parse(disabledAt) - 40).toISOString();
    await standIn(() => ({ skipped: 1, oldestOccurredAt }));
    expect(await stage.call("webhook-registry.enable", partnerId)).toMatchObject({
      suggestedReplay: { from: oldestOccurredAt },
    });
  });

  test("enable without the delivery service: 503 Webhook.DispatcherUnavailable, and nothing is changed", async () => {
    await aDisabledPartner();
    const before = await stage.collection.findOne({ partnerId });
    expect(await stage.refusal("webhook-registry.enable", partnerId)).toMatchObject({
      code: "Webhook.DispatcherUnavailable",
      status: 503,
      retryAfterSeconds: 1,
    });
    await standIn(() => {
      throw new Error("no database");
    });
    expect(await stage.refusal("webhook-registry.enable", partnerId)).toMatchObject({
      code: "Webhook.DispatcherUnavailable",
    });
    expect(await stage.collection.findOne({ partnerId })).toEqual(before);
  });

  test.each(["webhook-registry.register", "webhook-registry.replace"] as const)(
    "is enabled by %s too, with the secret in force",
    async (action) => {
      await aDisabledPartner();
      const before = await stage.forDelivery(partnerId);
      expect(await stage.call(action, partnerId, { url: "https://localhost:9443/new" })).toMatchObject({
        webhookSecret: null,
      });
      expect(await stage.forDelivery(partnerId)).toEqual({
        ...before,
        url: "https://localhost:9443/new",
        status: "Active",
        consecutiveFailures: 0,
        disabledAt: null,
        liveSince: expect.any(String),
      });
    },
  );

  test("is live since it was enabled; failures, recovery and another URL change nothing about it", async () => {
    const liveSince = async () => Date.parse((await stage.forDelivery(partnerId))?.liveSince ?? "");
    await aPartner();
    const registered = await liveSince();
    await stage.reportEach(partnerId, ...five, { ok: true });
    await stage.call("webhook-registry.register", partnerId, { url: "https://localhost:9443/new" });
    await stage.reportEach(partnerId, gone, gone);
    expect(await liveSince()).toBe(registered);
    await standIn(() => ({ skipped: 0, oldestOccurredAt: null }));
    stage.clock.move(HOUR_MS);
    const asked = stage.clock.now();
    await stage.call("webhook-registry.enable", partnerId);
    expect(await liveSince()).toBeGreaterThanOrEqual(asked);
    expect(await liveSince()).toBeLessThanOrEqual(stage.clock.now());
  });

  test("enable of an endpoint that is not disabled needs no delivery service and skips nothing", async () => {
    await aPartner();
    const nothing = { status: "Active", skipped: 0, suggestedReplay: null };
    expect(await stage.call("webhook-registry.enable", partnerId)).toEqual(nothing);
    await stage.reportEach(partnerId, ...five);
    expect(await stage.call("webhook-registry.enable", partnerId)).toEqual(nothing);
  });
});

describe("disabled by a person", () => {
  test("no success, no failure and no sweep undoes it; a person does, and the trail names both", async () => {
    await aPartner();
    await stage.reportEach(partnerId, fail);
    const disabled = await stage.call("webhook-registry.disable", partnerId);
    expect(disabled).toMatchObject({
      status: "Disabled",
      disabledReason: "Person",
      disabledAt: expect.stringMatching(/Z$/),
    });
    for (const outcome of [success, fail, gone, gone])
      expect(await stage.reportEach(partnerId, outcome)).toMatchObject({ status: "Disabled", healed: false });
    expect(await stage.read(partnerId)).toEqual(disabled);
    expect((await stage.forDelivery(partnerId))?.status).toBe("Disabled");

    await stage.call("webhook-registry.replace", partnerId, { url: "https://localhost:8443/hook" });
    expect(await stage.read(partnerId)).toMatchObject({ status: "Active", disabledReason: null });
    const trail = await stage.audit.entries({ partnerId });
    expect(trail.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["webhook.disabled", "webhook.url_replaced"]),
    );
  });

  test("a report about a disabled endpoint keeps reason and time, and writes nothing", async () => {
    await aPartner();
    await stage.reportEach(partnerId, gone, gone);
    const before = await stage.collection.findOne({ partnerId });
    stage.clock.move(1_000);
    expect(await stage.call("webhook-registry.disable", partnerId)).toMatchObject({
      disabledReason: "EndpointGone",
    });
    expect(await stage.collection.findOne({ partnerId })).toEqual(before);
  });
});
