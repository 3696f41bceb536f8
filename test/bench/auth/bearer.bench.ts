/** The cost of the bearer check for a Partner API request: no call, and one signature per token, not per request. */
import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { jwtVerify } from "jose";
import { createBearerCheck } from "../../../gateway/admit/bearer.ts";
import { createTrust } from "../../../gateway/admit/trust.ts";
import { signAccessToken, tokenSigner } from "../../../services/auth-token/token/access-token.rules.ts";
import { systemClock } from "../../../shared/clock.ts";
import { newTokenId } from "../../../shared/identity/token-id.ts";
import { createLogger } from "../../../shared/telemetry/logger.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import type { BenchSpec, FloorFacts, Sample, Window } from "../frame/spec.ts";

const ISSUER = "https://onboarding.example";
const AUDIENCE = `${ISSUER}/api`;
const KID = "bench";
const FIRST_SIGHT: FloorFacts = {
  name: "a token at first sight",
  fairBecause: "the same check with the signature verified each time; shows what remembering a token saves",
  measure: "rate",
};
const LIBRARY: FloorFacts = {
  name: "jose jwtVerify",
  fairBecause:
    "what each request would cost with the library alone: the same tokens, claims and algorithm; it verifies each time and knows no revocation",
  measure: "rate",
  atLeast: 1,
};
/** As many partners as may be busy at once. */
const TOKENS = 200;

export const bench: BenchSpec = {
  name: "bearer check, in the gateway's process",
  issue: 3,
  roundMs: 1_000,
  concurrency: 1,
  async setup(env) {
    const { privateKey } = generateKeyPairSync("ed25519");
    const publicKey = createPublicKey(privateKey);
    const newToken = () => signAccessToken(facts(), tokenSigner(KID, privateKey));
    const { kty = "", crv = "", x = "" } = publicKey.export({ format: "jwk" });
    const state = { keys: [{ kid: KID, kty, crv, x }], revokedCredentialIds: [], inactivePartnerIds: [] };
    const trust = createTrust({
      call: async <T>() => state as T,
      logger: createLogger({ logLevel: "silent", process: "gateway" }),
      metrics: createMetrics("bench"),
    });
    env.onClose(trust.stop);
    await trust.start();
    const check = createBearerCheck({ clock: systemClock, trust, issuer: ISSUER, audience: AUDIENCE });
    const known = Array.from({ length: TOKENS }, newToken);
    const options = { issuer: ISSUER, audience: AUDIENCE, typ: "at+jwt", algorithms: ["EdDSA"] };

    return {
      workload: {
        name: "a token seen before",
        run: loop(known, (token) => check.require(`Bearer ${token}`, "partner.read")),
      },
      floors: [
        { ...FIRST_SIGHT, run: loop(newToken, (token) => check.require(`Bearer ${token}`, "partner.read")) },
        { ...LIBRARY, run: loop(known, (token) => jwtVerify(token, publicKey, options)) },
      ],
    };
  },
};

const facts = () => ({
  issuer: ISSUER,
  audience: AUDIENCE,
  clientId: "acme-trading-ltd-000000000000",
  partnerId: randomUUID(),
  scopes: ["partner.read", "partner.write"] as const,
  isTest: false,
  jti: newTokenId(randomUUID(), "thumbprint"),
  nowSeconds: Math.floor(Date.now() / 1_000),
});

/** The checks run in sequence; making new tokens is not counted. */
function loop(tokens: readonly string[] | (() => string), check: (token: string) => Promise<unknown>) {
  return async ({ durationMs }: Window): Promise<Sample> => {
    const latenciesMs: number[] = [];
    let elapsedMs = 0;
    for (let turn = 0; elapsedMs < durationMs; turn += 1) {
      const token = typeof tokens === "function" ? tokens() : (tokens[turn % tokens.length] ?? "");
      const startedAt = performance.now();
      await check(token);
      const took = performance.now() - startedAt;
      latenciesMs.push(took);
      elapsedMs += took;
    }
    return { count: latenciesMs.length, elapsedMs, latenciesMs };
  };
}
