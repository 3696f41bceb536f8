/** Token issuance over HTTP, with the assertion's id durably stored, beside a provider that keeps it in memory. */
import { createPublicKey, type KeyObject, randomUUID, sign } from "node:crypto";
import { promisify } from "node:util";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { answers200, type BenchEnv, benchFile } from "../frame/env.ts";
import type { HttpRequest } from "../frame/http-load.ts";
import type { BenchSpec } from "../frame/spec.ts";

const PEER = "oidc-provider, in memory";
/** More than either side answers in a round. */
const ASSERTIONS = 10_000;
const UNLIMITED = "100000000";
const signAsync = promisify<string, Buffer, KeyObject, Buffer>(sign);

type Client = { clientId: string; privateKey: KeyObject };

export const bench: BenchSpec = {
  name: "token by client assertion",
  issue: 3,
  isHotPath: true,
  goals: [{ measure: "rate", against: PEER, atLeast: 1.0 }],
  rounds: 9,
  async setup(env) {
    const ours = await startOurs(env);
    const theirs = await startPeer(env);
    return {
      workload: env.httpWorkload("ours, jti in MongoDB", {
        url: ours.url,
        once: true,
        requests: () => tokenRequests(ours, ours.url, "/oauth2/token"),
      }),
      floors: [
        env.httpWorkload(PEER, {
          url: theirs.url,
          once: true,
          requests: () => tokenRequests(theirs, theirs.url, "/token"),
        }),
      ],
    };
  },
};

async function startOurs(env: BenchEnv): Promise<Client & { url: string }> {
  const gateway = await env.startService("gateway", {
    settings: { PBO_LIMIT_TOKENS_PER_ADDRESS: UNLIMITED },
  });
  await env.startService("auth-token", { settings: { PBO_BASE_URL: gateway.url } });
  const admin = await connectAdmin(env.settings);
  const { privateKey, certificatePem } = await makePartnerKeys({ commonName: "Bench Ltd" });
  const partner = await admin.call("auth-token.createPartner", {
    name: "Bench Ltd",
  });
  await admin.call("auth-token.registerCertificate", {
    partnerId: partner.partnerId,
    certificate: certificatePem,
  });
  await admin.close();
  return { url: gateway.url, clientId: partner.clientId, privateKey };
}

async function startPeer(env: BenchEnv): Promise<Client & { url: string }> {
  const { privateKey } = await makePartnerKeys({ commonName: "Bench Ltd" });
  const jwk = JSON.stringify(createPublicKey(privateKey).export({ format: "jwk" }));
  const port = await env.freePort();
  const url = `http://127.0.0.1:${port}`;
  const metadata = `${url}/.well-known/openid-configuration`;
  await env.startScript(benchFile("auth/oidc-provider.ts"), [String(port), "bench", jwk], () =>
    answers200(metadata),
  );
  return { url, clientId: "bench", privateKey };
}

/** Signed before the round begins: the partner's own work is not what is measured. */
async function tokenRequests(
  { clientId, privateKey }: Client,
  issuer: string,
  path: string,
): Promise<HttpRequest[]> {
  const assertions = Array.from({ length: ASSERTIONS }, () => makeAssertion(clientId, privateKey, issuer));
  return (await Promise.all(assertions)).map((assertion) => ({
    method: "POST",
    path,
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: tokenForm(assertion).toString(),
  }));
}

async function makeAssertion(clientId: string, key: KeyObject, issuer: string): Promise<string> {
  const iat = Math.floor(Date.now() / 1_000);
  const claims = { iss: clientId, sub: clientId, aud: issuer, iat, exp: iat + 120, jti: randomUUID() };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${(await signAsync("sha256", Buffer.from(signed), key)).toString("base64url")}`;
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
