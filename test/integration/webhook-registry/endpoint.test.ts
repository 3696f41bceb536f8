import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { startRegistryStage } from "../../support/stage/registry-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const URL_A = "https://localhost:8443/hook";
const HEALTHY = { consecutiveFailures: 0, degradedSince: null, disabledAt: null, disabledReason: null };
const URL_B = "https://127.0.0.1:9443/other?x=1";

const stage = stageOfFile(startRegistryStage);

describe("a partner without a webhook", () => {
  test("reads a record that says so", async () => {
    expect(await stage.read(randomUUID())).toEqual({
      ...{ url: null, status: "NotRegistered", ...HEALTHY, secrets: [], activity: null },
    });
  });

  test("cannot rotate, enable or disable: 404 Webhook.EndpointNotFound", async () => {
    for (const action of ["rotateSecret", "enable", "disable"] as const)
      expect(await stage.refusal(`webhook-registry.${action}`, randomUUID())).toMatchObject({
        code: "Webhook.EndpointNotFound",
        status: 404,
      });
  });

  test("has no endpoint for the delivery service", async () => {
    expect(await stage.forDelivery(randomUUID())).toBeNull();
  });
});

describe("register", () => {
  test("the first time answers the URL, a secret and a message; a supplied secret is ignored", async () => {
    const partnerId = randomUUID();
    const answer = await stage.call<Record<string, string>>("webhook-registry.register", partnerId, {
      url: URL_A,
      webhookSecret: "whsec_mine",
      status: "Disabled",
      partnerId: randomUUID(),
    });
    expect(answer).toEqual({
      url: URL_A,
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      message: expect.stringContaining("shown only this once"),
    });
    const secrets = [{ secretId: expect.any(String), createdAt: expect.any(String), notAfter: null }];
    expect(await stage.read(partnerId)).toEqual({
      ...{ url: URL_A, status: "Active", ...HEALTHY, secrets, activity: null },
    });
    await waitFor(() => stage.changes.includes(partnerId), "the change to be announced");
  });

  test("again replaces the URL and answers no secret; the secret stays in force", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId, URL_A);
    const before = await stage.forDelivery(partnerId);
    expect(await stage.call("webhook-registry.register", partnerId, { url: URL_B })).toEqual({
      url: URL_B,
      webhookSecret: null,
      message: expect.stringContaining("replaced"),
    });
    expect(await stage.forDelivery(partnerId)).toEqual({ ...before, url: URL_B });
  });

  test("by two people at once: one endpoint, one of them gets the secret, and it is the one in force", async () => {
    const partnerId = randomUUID();
    const secrets = await Promise.all(Array.from({ length: 8 }, () => stage.register(partnerId)));
    expect(secrets.filter((secret) => secret !== null)).toHaveLength(1);
    expect(await stage.collection.countDocuments({ partnerId })).toBe(1);
    const [inForce] = (await stage.forDelivery(partnerId))?.secrets ?? [];
    expect(stage.cipher.open(inForce?.sealed ?? "", inForce?.place as never)).toBe(
      secrets.find((secret) => secret !== null),
    );
  });

  const BODIES = [undefined, null, [], "text", {}, { url: null }, { url: 5 }, { url: { $ne: 1 } }];
  test.each(BODIES)("with the body %j: 400 Webhook.UrlNotHttps", async (body) => {
    expect(await stage.refusal("webhook-registry.register", randomUUID(), body)).toMatchObject({
      code: "Webhook.UrlNotHttps",
      status: 400,
    });
  });
});

describe("replace", () => {
  test("keeps the secret and answers null for it", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId, URL_A);
    expect(await stage.call("webhook-registry.replace", partnerId, { url: URL_B })).toEqual({
      webhookSecret: null,
      message: expect.any(String),
    });
    expect(await stage.read(partnerId)).toMatchObject({ url: URL_B, status: "Active" });
  });

  test("PUT of a partner without a webhook registers it and answers a secret", async () => {
    const partnerId = randomUUID();
    expect(await stage.call("webhook-registry.replace", partnerId, { url: URL_A })).toEqual({
      webhookSecret: expect.stringMatching(/^whsec_/),
      message: expect.any(String),
    });
    expect(await stage.read(partnerId)).toMatchObject({ url: URL_A, status: "Active" });
  });

  test("with a URL that is refused changes nothing", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId, URL_A);
    const before = await stage.collection.findOne({ partnerId });
    expect(
      await stage.refusal("webhook-registry.replace", partnerId, { url: "https://10.0.0.1/" }),
    ).toMatchObject({
      code: "Webhook.UrlNotPublic",
    });
    expect(await stage.collection.findOne({ partnerId })).toEqual(before);
  });
});

describe("rotateSecret", () => {
  const DAY_MS = 86_400_000;
  const plain = async (partnerId: string) =>
    ((await stage.forDelivery(partnerId))?.secrets ?? []).map(({ sealed, place }) =>
      stage.cipher.open(sealed, place),
    );

  test("answers a new secret and when the previous one expires, 24 hours on", async () => {
    const partnerId = randomUUID();
    const first = await stage.register(partnerId);
    const before = stage.clock.now();
    const answer = await stage.call<Record<string, string>>("webhook-registry.rotateSecret", partnerId);
    expect(answer).toEqual({
      webhookSecret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      previousSecretExpiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      message: expect.stringContaining("shown only this once"),
    });
    const expiresAt = Date.parse(answer.previousSecretExpiresAt ?? "");
    expect(expiresAt).toBeGreaterThanOrEqual(before + DAY_MS);
    expect(expiresAt).toBeLessThanOrEqual(stage.clock.now() + DAY_MS);
    expect(await plain(partnerId)).toEqual([answer.webhookSecret, first]);
    expect((await stage.forDelivery(partnerId))?.secrets.map(({ notAfter }) => notAfter)).toEqual([
      null,
      answer.previousSecretExpiresAt,
    ]);
  });

  test("by several people at once: five secrets are in force, whoever comes later is refused and changes nothing", async () => {
    const partnerId = randomUUID();
    const first = await stage.register(partnerId);
    const rotations = await Promise.allSettled(
      Array.from({ length: 6 }, () =>
        stage.call<{ webhookSecret: string }>("webhook-registry.rotateSecret", partnerId),
      ),
    );
    const given = rotations.flatMap((one) => (one.status === "fulfilled" ? [one.value.webhookSecret] : []));
    expect(given).toHaveLength(4);
    expect((await plain(partnerId)).sort()).toEqual([first, ...given].sort());
    expect((await plain(partnerId)).at(-1)).toBe(first);

    const stored = await stage.collection.findOne({ partnerId });
    expect(await stage.refusal("webhook-registry.rotateSecret", partnerId)).toMatchObject({
      code: "Webhook.TooManySecrets",
      message: expect.stringContaining(`after ${stored?.secrets.at(-1)?.notAfter?.toISOString()}`),
    });
    expect(await stage.collection.findOne({ partnerId })).toEqual(stored);
  });

  test("the previous secret is gone from the database once it expired", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    await stage.call("webhook-registry.rotateSecret", partnerId);
    stage.clock.move(DAY_MS);
    await waitFor(async () => (await stage.collection.findOne({ partnerId }))?.secrets.length === 1, {
      what: "the sweep to drop the previous secret",
    });
  });
});

describe("a partner becomes inactive", () => {
  const tell = (partnerId: string, active: boolean) =>
    stage.setStanding({ partnerId, active, changedAt: new Date(stage.clock.now()).toISOString() });

  test("the delivery service finds its endpoint disabled, and live again since it is active", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    await tell(partnerId, false);
    expect(await stage.forDelivery(partnerId)).toMatchObject({ status: "Disabled" });
    expect(stage.changes.filter((each) => each === partnerId).length).toBeGreaterThanOrEqual(2);
    expect((await stage.read(partnerId)).status).toBe("Active");
    stage.clock.move(60_000);
    await tell(partnerId, true);
    const endpoint = await stage.forDelivery(partnerId);
    expect(endpoint?.status).toBe("Active");
    // Events of that time stay unrouted, as with an endpoint that a person enables.
    expect(Date.parse(endpoint?.liveSince ?? "")).toBeGreaterThanOrEqual(stage.clock.now() - 30_000);
  });

  test("before its endpoint is made: the new one is as silent", async () => {
    const partnerId = randomUUID();
    await tell(partnerId, false);
    await stage.register(partnerId);
    expect(await stage.forDelivery(partnerId)).toMatchObject({ status: "Disabled" });
  });

  test("a word that comes late does not undo a newer one", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const late = new Date(stage.clock.now() - 1_000).toISOString();
    await tell(partnerId, false);
    await stage.setStanding({ partnerId, active: true, changedAt: late });
    expect(await stage.forDelivery(partnerId)).toMatchObject({ status: "Disabled" });
  });
});

describe("the audit trail", () => {
  test("has every change by a person with what was before, and neither a secret nor a key in a query", async () => {
    const partnerId = randomUUID();
    const secret = await stage.register(partnerId, `${URL_B}&key=sesame`);
    const { webhookSecret } = await stage.call<{ webhookSecret: string }>(
      "webhook-registry.rotateSecret",
      partnerId,
    );
    await stage.call("webhook-registry.replace", partnerId, { url: URL_A });
    const entries = await stage.audit.entries({ partnerId });
    const [first] = (entries[0]?.after?.secretIds ?? []) as string[];
    const bare = "https://127.0.0.1:9443/other";
    expect(entries).toMatchObject([
      {
        action: "webhook.registered",
        before: null,
        after: { url: bare, status: "Active", secretIds: [first] },
      },
      {
        action: "webhook.secret_rotated",
        before: { secretIds: [first] },
        after: { secretIds: [expect.any(String), first] },
        who: { kind: "user", email: "dev@example.com" },
      },
      { action: "webhook.url_replaced", before: { url: bare }, after: { url: URL_A } },
    ]);
    for (const plain of [secret, webhookSecret, "sesame"])
      expect(JSON.stringify(entries)).not.toContain(plain);
  });

  test("an audit trail that takes no entry: nothing is changed and nothing is announced", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const before = await stage.collection.findOne({ partnerId });
    const told = stage.changes.length;
    await stage.audit.refusing(async () => {
      for (const [action, body] of [
        ["webhook-registry.rotateSecret", undefined],
        ["webhook-registry.replace", { url: URL_B }],
      ] as const)
        expect(await stage.refusal(action, partnerId, body)).toMatchObject({ code: "Service.Error" });
      expect(await stage.refusal("webhook-registry.register", randomUUID(), { url: URL_B })).toMatchObject({
        code: "Service.Error",
      });
    });
    expect(await stage.collection.findOne({ partnerId })).toEqual(before);
    expect(stage.changes).toHaveLength(told);
  });
});
