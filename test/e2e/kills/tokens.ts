/** Tokens and sessions as real processes, through killed services and a whole log. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { demoLogin, SESSION, signIn } from "../../support/clients/dashboard-client.ts";
import { tokenRequest } from "../../support/clients/partner-client.ts";
import { ask } from "../../support/http/ask.ts";
import type { TestPlatform } from "../../support/stage/platform.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

const TYPES = "/api/customer/v1/onboarding/business-types";

let platform: TestPlatform;
const secrets = new Set<string>();
beforeAll(async () => {
  platform = await journeyPlatform();
  const key = readFileSync(platform.demo.partners[0]?.privateKeyFile ?? "", "utf8");
  secrets.add(key.split("\n")[5] ?? "");
});

const send = (path: string, init: RequestInit = {}) =>
  ask(platform.baseUrl + path, { signal: AbortSignal.timeout(15_000), ...init });
const read = (token: string) => send(TYPES, { headers: { authorization: `Bearer ${token}` } });

function newForm(): URLSearchParams {
  const form = tokenRequest(platform.demo);
  secrets.add(form.get("client_assertion") ?? "");
  return form;
}
const askForToken = (form: URLSearchParams) => send("/oauth2/token", { method: "POST", body: form });

async function newToken(): Promise<string> {
  const { status, body } = await askForToken(newForm());
  if (status !== 200) throw new Error(`no token: ${status}`);
  secrets.add(String(body.access_token));
  return String(body.access_token);
}

async function newSession(): Promise<string> {
  const login = demoLogin(platform.demo, "Owner", 1);
  const { cookie } = await signIn(platform.demo, login);
  secrets.add(login.password).add(cookie.split("=")[1] ?? "");
  return cookie;
}

test("the token service killed: an assertion used before is refused after, tokens and sessions live on", async () => {
  const used = newForm();
  expect((await askForToken(used)).status).toBe(200);
  const [token, cookie] = [await newToken(), await newSession()];

  platform.kill("auth-token");
  // The gateway verifies a token by itself.
  expect((await read(token)).status).toBe(200);

  const replayed = await waitFor(async () => {
    const answer = await askForToken(used);
    return answer.status !== 503 && answer;
  }, "the token service to be back");
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
