/** The story of the token endpoint with its ports faked where only their failure matters. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";
import { AssertionRefused } from "../../../services/auth-token/token/assertion.rules.ts";
import { type IssueTokenDeps, issueToken } from "../../../services/auth-token/token/issue-token.ts";
import { issuerFacts } from "../../../services/auth-token/token/metadata.rules.ts";
import { createRefusalRecorder } from "../../../services/auth-token/token/record-token-failure.ts";
import { createTokenClients, type TokenClient } from "../../../services/auth-token/token/token-clients.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { makeAssertion, tokenForm } from "../../support/builders/assertions.ts";

const ISSUER = "https://onboarding.example";
const pair = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const signingKey = generateKeyPairSync("ed25519").privateKey;
const client: TokenClient = {
  clientId: "acme-000000000000",
  credentialId: "c1",
  partnerId: "p1",
  isPartnerActive: true,
  isRevoked: false,
  isTest: false,
  scopes: ["partner.read", "partner.write"],
  certificates: [
    {
      thumbprint: "t",
      notBefore: 0,
      notAfter: Number.MAX_SAFE_INTEGER,
      publicKey: pair.publicKey,
      keyProblem: null,
    },
  ],
};
const quota = { allowed: true, limit: 30, remaining: 29, resetSeconds: 10 };

const ports = {
  clock: { now: () => 0 },
  logger: createLogger({ logLevel: "fatal", process: "auth-token" }),
  metrics: createMetrics("auth-token"),
};
const deps = (change: Partial<IssueTokenDeps> = {}): IssueTokenDeps => ({
  facts: issuerFacts(ISSUER),
  clock: { now: () => Date.now() },
  findClient: async (clientId) => (clientId === client.clientId ? client : null),
  takeQuota: async () => quota,
  useAssertion: async () => true,
  signer: async () => tokenSigner("k1", signingKey),
  recordRefusal: async () => undefined,
  ...change,
});
const form = (claims = {}) =>
  tokenForm(
    makeAssertion({ clientId: client.clientId, key: pair.privateKey, audience: ISSUER, claims }),
  ).toString();

const issue = (from: IssueTokenDeps, body: string) =>
  issueToken(from, { body, hasAuthorization: false }, "r1");

describe("issueToken", () => {
  test("the id of the assertion is stored last: nothing that refuses the request spends it", async () => {
    const order: string[] = [];
    const traced = deps({
      async takeQuota() {
        order.push("quota");
        return { ...quota, allowed: order.length > 1 };
      },
      async useAssertion() {
        order.push("jti");
        return true;
      },
    });
    await expect(issue(traced, form())).rejects.toMatchObject({ status: 429 });
    await expect(issue(traced, form({ exp: 1 }))).rejects.toMatchObject({ status: 401 });
    await expect(issue(traced, `${form()}&scope=x`)).rejects.toMatchObject({
      error: "invalid_scope",
    });
    await issue(traced, form());
    expect(order).toEqual(["quota", "quota", "jti"]);
  });

  test("an assertion id that cannot be stored: no token, the error goes on", async () => {
    const lost = Object.assign(new Error("no primary"), { name: "MongoServerSelectionError" });
    const broken = deps({ useAssertion: () => Promise.reject(lost) });
    await expect(issue(broken, form())).rejects.toBe(lost);
  });

  test("a refusal is recorded with its reason and the client that was claimed", async () => {
    const records: unknown[] = [];
    const recording = deps({
      useAssertion: async () => false,
      recordRefusal: async ({ reason }, ...about) => void records.push([reason, ...about]),
    });
    await expect(issue(recording, form())).rejects.toMatchObject({ error: "invalid_client" });
    expect(records).toEqual([["Replayed", client.clientId, "r1"]]);
  });
});

describe("createRefusalRecorder", () => {
  test("a flood becomes few writes, and keeps the latest 50 of those that wait", async () => {
    const writes: number[] = [];
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const record = createRefusalRecorder({
      ...ports,
      clients: { find: async () => client },
      credentials: {
        addFailures: async (_id, failures) => {
          writes.push(failures.length);
          await held;
        },
      },
    });
    const refusal = new AssertionRefused("Replayed", "x");
    const flood = Array.from({ length: 500 }, (_, index) => record(refusal, client.clientId, `r${index}`));
    await new Promise((resolve) => setImmediate(resolve));
    release();
    await Promise.all(flood);
    expect(writes.length).toBeLessThanOrEqual(3);
    expect(Math.max(...writes)).toBeLessThanOrEqual(50);
  });
});

describe("createRefusalRecorder, at the end of a write", () => {
  test.each(Array.from({ length: 12 }, (_, turn) => turn))(
    "a failure that arrives %i turns after the write is stored without waiting for the next failure",
    async (turns) => {
      const stored: string[] = [];
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const record = createRefusalRecorder({
        ...ports,
        clients: { find: async () => client },
        credentials: {
          async addFailures(_id, failures) {
            await held;
            stored.push(...failures.map(({ requestId }) => requestId));
          },
        },
      });
      const refusal = new AssertionRefused("Replayed", "x");
      const first = record(refusal, client.clientId, "first");
      await new Promise((resolve) => setImmediate(resolve));
      release();
      for (let turn = 0; turn < turns; turn += 1) await null;
      await Promise.all([first, record(refusal, client.clientId, "last")]);
      expect(stored).toEqual(["first", "last"]);
    },
  );
});

describe("createTokenClients", () => {
  test("a client is asked for once in two seconds, and again after a change here", async () => {
    let now = 0;
    let reads = 0;
    const clients = createTokenClients({
      clock: { now: () => now },
      credentials: {
        async findByClientId() {
          reads += 1;
          return null;
        },
      },
      partners: { findById: async () => null },
    });
    await Promise.all([clients.find("a"), clients.find("a")]);
    now = 1_999;
    await clients.find("a");
    expect(reads).toBe(1);
    now = 2_001;
    await clients.find("a");
    expect(reads).toBe(2);
    clients.forget();
    await clients.find("a");
    expect(reads).toBe(3);
  });

  test("a failed read is not remembered", async () => {
    let isAway = true;
    const clients = createTokenClients({
      clock: { now: () => 0 },
      credentials: { findByClientId: async () => (isAway ? Promise.reject(new Error("away")) : null) },
      partners: { findById: async () => null },
    });
    await expect(clients.find("a")).rejects.toThrow("away");
    isAway = false;
    expect(await clients.find("a")).toBeNull();
  });
});
