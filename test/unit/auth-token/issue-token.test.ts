/** The story of the token endpoint with its ports faked where only their failure matters. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { RefusedClient } from "../../../services/auth-token/credential/credential.repository.ts";
import { tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";
import { AssertionRefused } from "../../../services/auth-token/token/assertion.rules.ts";
import { type IssueTokenDeps, issueToken } from "../../../services/auth-token/token/issue-token.ts";
import { issuerFacts } from "../../../services/auth-token/token/metadata.rules.ts";
import { createRefusalRecorder } from "../../../services/auth-token/token/record-token-failure.ts";
import { createTokenClients, type TokenClient } from "../../../services/auth-token/token/token-clients.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { makeAssertion, tokenForm } from "../../support/builders/assertions.ts";
import { several } from "../../support/builders/records.ts";

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

const deps = (change: object = {}) =>
  ({
    facts: issuerFacts(ISSUER),
    clock: { now: () => Date.now() },
    config: { tokensPerMinute: 30 },
    clients: { find: async (clientId: string) => (clientId === client.clientId ? client : null) },
    tokenQuota: { take: async () => quota },
    assertions: { use: async () => true },
    keys: { signer: async () => tokenSigner("k1", signingKey) },
    recordRefusal: async () => undefined,
    ...change,
  }) as unknown as IssueTokenDeps;
const form = (claims = {}) =>
  tokenForm(
    makeAssertion({ clientId: client.clientId, key: pair.privateKey, audience: ISSUER, claims }),
  ).toString();

const issue = (from: IssueTokenDeps, body: string) =>
  issueToken(from, { body, hasAuthorization: false }, "r1");

describe("issueToken", () => {
  test("the id of the assertion is stored last: nothing that refuses the request spends it", async () => {
    const order: string[] = [];
    const take = async () => ({ ...quota, allowed: order.push("quota") > 1 });
    const use = async () => order.push("jti") > 0;
    const traced = deps({ tokenQuota: { take }, assertions: { use } });
    await expect(issue(traced, form())).rejects.toMatchObject({ status: 429 });
    await expect(issue(traced, form({ exp: 1 }))).rejects.toMatchObject({ status: 401 });
    await expect(issue(traced, `${form()}&scope=x`)).rejects.toMatchObject({ error: "invalid_scope" });
    await issue(traced, form());
    expect(order).toEqual(["quota", "quota", "jti"]);
  });

  test("an assertion id that cannot be stored: no token, the error goes on", async () => {
    const lost = Object.assign(new Error("no primary"), { name: "MongoServerSelectionError" });
    const broken = deps({ assertions: { use: () => Promise.reject(lost) } });
    await expect(issue(broken, form())).rejects.toBe(lost);
  });
});

describe("createRefusalRecorder", () => {
  const refusal = new AssertionRefused("Replayed", "x");
  const loopTurn = () => new Promise((resolve) => setImmediate(resolve));
  function aRecorder(store: (requestIds: string[]) => Promise<unknown>) {
    const record = createRefusalRecorder({
      clock: { now: () => 0 },
      logger: createLogger({ logLevel: "fatal", process: "auth-token" }),
      metrics: createMetrics("auth-token"),
      clients: { find: async () => client },
      credentials: {
        addFailures: (refused: readonly RefusedClient[]) =>
          store(refused.map(({ failure }) => failure.requestId)),
      },
    } as unknown as Parameters<typeof createRefusalRecorder>[0]);
    return (requestId: string) => record(refusal, client.clientId, requestId);
  }

  test("a flood is few writes, and the latest refusal is stored before its answer", async () => {
    const writes: string[][] = [];
    const record = aRecorder(async (requestIds) => {
      await loopTurn();
      writes.push(requestIds);
    });
    await Promise.all(several(500, (index) => record(`r${index}`)));
    expect(writes.length).toBeLessThanOrEqual(3);
    expect(writes.at(-1)?.at(-1)).toBe("r499");
    await record("later");
    expect(writes.at(-1)).toEqual(["later"]);
  });

  test.each(several(12, (turns) => turns))(
    "a refusal %i turns after the end of a write is stored without waiting for the next refusal",
    async (turns) => {
      const writes: string[][] = [];
      const [started, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const record = aRecorder(async (requestIds) => {
        writes.push(requestIds);
        started.resolve();
        await held.promise;
      });
      const first = record("first");
      await started.promise;
      held.resolve();
      for (let turn = 0; turn < turns; turn += 1) await null;
      let isStored = false;
      const both = Promise.all([first, record("last")]).then(() => {
        isStored = true;
      });
      for (let left = 20; left > 0; left -= 1) await Promise.race([both, loopTurn()]);
      expect([isStored, ...writes]).toEqual([true, ["first"], ["last"]]);
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
