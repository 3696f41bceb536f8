/** Tokens and sessions as real processes, through killed services and a whole log. */
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { makeAssertion, tokenForm } from "../../support/builders/assertions.ts";
import { ask } from "../../support/http/ask.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const TYPES = "/api/customer/v1/onboarding/business-types";
const SESSION = "/api/customer/v1/session";

let platform: TestPlatform;
beforeAll(async () => {
  platform = await journeyPlatform();
});

type Answer = { status: number; headers: Headers; body: Record<string, unknown> };
const secrets = new Set<string>();

async function send(path: string, init: RequestInit = {}): Promise<Answer> {
  return ask(platform.baseUrl + path, { signal: AbortSignal.timeout(15_000), ...init });
}

function newForm(): URLSearchParams {
  const [account] = platform.demo.partners;
  if (!account) throw new Error("no demo partner");
  const pem = readFileSync(account.privateKeyFile, "utf8");
  const key = createPrivateKey(pem);
  const assertion = makeAssertion({ clientId: account.clientId, key, audience: platform.demo.issuer });
  for (const secret of [assertion, pem.split("\n")[5] ?? ""]) secrets.add(secret);
  return tokenForm(assertion);
}
const askForToken = (form: URLSearchParams): Promise<Answer> =>
  send("/oauth2/token", { method: "POST", body: form });
async function newToken(): Promise<string> {
  const { status, body } = await askForToken(newForm());
  if (status !== 200) throw new Error(`no token: ${status}`);
  secrets.add(String(body.access_token));
  return String(body.access_token);
}
const read = (token: string): Promise<Answer> =>
  send(TYPES, { headers: { authorization: `Bearer ${token}` } });

async function signIn(): Promise<string> {
  const [user] = platform.demo.partners[1]?.users ?? [];
  secrets.add(user?.password ?? "");
  const answer = await send(SESSION, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: user?.email, password: user?.password }),
  });
  const [cookie = ""] = answer.headers.getSetCookie()[0]?.split(";") ?? [];
  secrets.add(cookie.split("=")[1] ?? "");
  return cookie;
}

test("the token service killed: an assertion used before is refused after, tokens and sessions live on", async () => {
  const used = newForm();
  expect((await askForToken(used)).status).toBe(200);
  const [token, cookie] = [await newToken(), await signIn()];

  platform.kill("auth-token");
  // The gateway needs nobody to judge a token it can verify.
  expect((await read(token)).status).toBe(200);

  const replayed = await waitFor(
    async () => {
      const answer = await askForToken(used);
      return answer.status !== 503 && answer;
    },
    { what: "the token service to be back" },
  );
  expect([replayed.status, replayed.body.error]).toEqual([401, "invalid_client"]);
  expect((await read(await newToken())).status).toBe(200);
  expect((await send(SESSION, { headers: { cookie } })).status).toBe(200);
});

test("no log of any process holds a key, password, cookie, assertion or token", () => {
  expect(secrets.size).toBeGreaterThanOrEqual(6);
  for (const name of ["gateway", "auth-token", "profile"] as const) {
    const log = platform.logs(name);
    expect([name, log.length > 0]).toEqual([name, true]);
    expect([name, [...secrets].filter((secret) => secret.length > 8 && log.includes(secret))]).toEqual([
      name,
      [],
    ]);
  }
});
