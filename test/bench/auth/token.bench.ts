/** Token issuance over HTTP, with the assertion's id durably stored on both sides, judged by what a token costs. */
import { createPublicKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { promisify } from "node:util";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { answers200, type BenchEnv, benchFile } from "../frame/env.ts";
import type { HttpRequest } from "../frame/http-load.ts";
import { registerPartner } from "../frame/partner.ts";
import { startRedis, WITHOUT_REDIS } from "../frame/redis.ts";
import type { BenchSpec, FloorFacts, Window } from "../frame/spec.ts";

const PEER: FloorFacts = {
  name: "oidc-provider, Redis with AOF always",
  fairBecause:
    "the same grant, client authentication and algorithms, each id on the disk before the answer; one process where ours are two, so CPU is compared",
  // A third cheaper was the goal while it was judged by the rate.
  goals: [{ measure: "cpu", atMost: 1 / 1.3 }, { measure: "rate" }],
};
/** Signing is most of this row's time. A side that has answered them all ends its round early; the rate stays right. */
const ASSERTIONS_PER_SECOND = 2_500;
/** The longest that we accept: on a busy machine it takes minutes to sign them all. */
const ASSERTION_SECONDS = 300;
const UNLIMITED = "100000000";
const signAsync = promisify<string, Buffer, KeyObject, Buffer>(sign);

type Issuer = { url: string; clientId: string; privateKey: KeyObject };

export const bench: BenchSpec = {
  name: "token by client assertion",
  issue: 3,
  hotPath: "rate",
  rounds: 9,
  async setup(env) {
    const ours = await startOurs(env);
    const cpuOf = ["gateway", "auth-token", "mongod", "nats"];
    const workload = { name: "ours, jti in MongoDB", cpuOf, run: load(env, ours, "/oauth2/token") };
    const port = await startRedis(env);
    if (port === null)
      return { workload, floors: [], missing: [{ name: PEER.name, because: WITHOUT_REDIS }] };
    const theirs = await startPeer(env, port);
    const cpuOfPeer = ["oidc-provider", "redis"];
    return { workload, floors: [{ ...PEER, cpuOf: cpuOfPeer, run: load(env, theirs, "/token") }] };
  },
};

const load = (env: BenchEnv, issuer: Issuer, path: string) =>
  env.http({ url: issuer.url, once: true, requests: (window) => tokenRequests(issuer, path, window) });

async function startOurs(env: BenchEnv): Promise<Issuer> {
  const { url } = await env.startService("gateway", {
    settings: { PBO_LIMIT_TOKENS_PER_ADDRESS: UNLIMITED },
  });
  await env.startService("auth-token", { settings: { PBO_BASE_URL: url } });
  return { url, ...(await registerPartner(env)) };
}

async function startPeer(env: BenchEnv, redisPort: number): Promise<Issuer> {
  const { privateKey } = await makePartnerKeys({ commonName: "Bench Ltd" });
  const jwk = JSON.stringify(createPublicKey(privateKey).export({ format: "jwk" }));
  const port = await env.freePort();
  const url = `http://127.0.0.1:${port}`;
  const metadata = `${url}/.well-known/openid-configuration`;
  const args = [String(port), "bench", jwk, String(redisPort)];
  await env.startScript(benchFile("auth/oidc-provider.ts"), args, () => answers200(metadata));
  return { url, clientId: "bench", privateKey };
}

/** Signed before the round begins: the partner's own work is not what is measured. */
async function tokenRequests(issuer: Issuer, path: string, { durationMs }: Window): Promise<HttpRequest[]> {
  const length = Math.ceil((ASSERTIONS_PER_SECOND * durationMs) / 1_000);
  const assertions = Array.from({ length }, () => makeAssertion(issuer));
  return (await Promise.all(assertions)).map((assertion) => ({
    method: "POST",
    path,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: tokenForm(assertion).toString(),
  }));
}

async function makeAssertion({ url, clientId, privateKey }: Issuer): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: clientId,
    sub: clientId,
    aud: url,
    iat,
    exp: iat + ASSERTION_SECONDS,
    jti: randomUUID(),
  };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${(await signAsync("sha256", Buffer.from(signed), privateKey)).toString("base64url")}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
