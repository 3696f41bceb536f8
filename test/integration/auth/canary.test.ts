/** Secrets are never written down: not in logs, errors, metrics or node listings. */
import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "@jest/globals";
import { runtimeOf } from "../../../shared/moleculer/runtime.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { type Answer, cookieOf, refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const PROFILES = "/api/partner/v1/business-profiles";
const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const FIELD_KEY = randomBytes(32).toString("base64");

/** Secrets that must not be found, by name. */
const canaries = new Map<string, string>();
const answers: string[] = [];

const remember = (name: string, value: string): string => {
  canaries.set(name, value);
  return value;
};
const noted = async (answer: Promise<Answer>): Promise<Answer> => {
  answers.push((await answer).text);
  return answer;
};
const withToken = (token: string) =>
  noted(stage.request(PROFILES, { headers: { authorization: `Bearer ${token}` } }));

const stage = stageOfFile(() =>
  startAuthStage({ PBO_LOG_LEVEL: "trace", PBO_TOKEN_KEYS: `canary:${FIELD_KEY}` }),
);
const partner = ofFile(() => stage.partner());
beforeAll(async () => {
  remember("field key", FIELD_KEY);
  for (const line of partner.privateKeyPem
    .split("\n")
    .filter((text) => text.length === 64)
    .slice(0, 3))
    remember(`private key ${canaries.size}`, line);
  await useEverything();
});

async function useEverything(): Promise<void> {
  const assertion = remember("assertion", stage.assertion(partner));
  const answer = await stage.tokenRequest(tokenForm(assertion));
  const token = remember("access token", String(answer.body.access_token));
  remember("access token signature", token.split(".")[2] ?? "");
  await noted(stage.tokenRequest(tokenForm(assertion)));
  const secret = remember("client secret", randomBytes(16).toString("hex"));
  await noted(stage.tokenRequest(tokenForm("x.y.z", { client_secret: secret })));
  const forged = remember("forged assertion", stage.assertion(partner, { signWith: () => randomBytes(256) }));
  await noted(stage.tokenRequest(tokenForm(forged)));

  await withToken(token);
  await withToken(remember("bad token", randomBytes(40).toString("hex")));
  const queried = remember("token in the query", randomBytes(24).toString("hex"));
  await noted(stage.request(`${PROFILES}?access_token=${queried}`));

  const user = await stage.user(partner.partnerId, "Owner");
  remember("password", user.password);
  const cookie = cookieOf(await noted(stage.login(user)));
  remember("cookie", cookie.split("=")[1] ?? "");
  const wrong = remember("wrong password", `wrong-${randomBytes(12).toString("hex")}`);
  await noted(stage.login({ email: user.email, password: wrong }));
  const asEmail = remember("password typed as email", `pw-${randomBytes(12).toString("hex")}`);
  await noted(stage.login({ email: asEmail, password: asEmail }));
  const certificate = partner.certificatePem + partner.privateKeyPem;
  await noted(stage.send("POST", CREDENTIALS, cookie, { certificate }));
  await noted(stage.send("GET", CREDENTIALS, cookie));
  await noted(stage.send("DELETE", "/api/customer/v1/session", cookie));

  const reset = remember("new password", randomBytes(15).toString("base64url"));
  await stage.call("auth-token.resetPassword", { email: user.email, password: reset });
  await stage
    .call("auth-token.resetPassword", { email: "nobody@nowhere.example", password: reset })
    .catch(String);
  await stage.call("auth-token.rotateSigningKey", { immediately: true });
  await breakTheDatabase(user.email);
}

const DRIVER_TEXT = "E11000 what a driver says";

/** An error that nobody foresaw: the log has its text, the caller has not. */
async function breakTheDatabase(email: string): Promise<void> {
  const users = serviceRuntimeOf(stage.authToken).mongo.connection.model("users").collection;
  const original = users.findOne;
  users.findOne = (() => Promise.reject(new Error(DRIVER_TEXT))) as never;
  const answer = await noted(stage.login({ email, password: "any password" }));
  users.findOne = original;
  expect(refusalOf(answer)).toEqual([500, "Service.Error"]);
}

const found = (text: string): string[] =>
  [...canaries].filter(([, value]) => text.includes(value)).map(([name]) => name);

test("the canaries are there to be found", () => {
  expect(canaries.size).toBeGreaterThanOrEqual(14);
  for (const value of canaries.values()) expect(value.length).toBeGreaterThanOrEqual(16);
});

test("no log line of any level holds one", () => {
  expect(stage.log.length).toBeGreaterThan(20);
  expect(found(stage.log.join(""))).toEqual([]);
});

test("no answer holds one, nor a driver's words", () => {
  expect(found(answers.join("\n"))).toEqual([]);
  expect(answers.join("\n")).not.toContain(DRIVER_TEXT);
  expect(stage.log.join("")).toContain(DRIVER_TEXT);
});

test("no node listing holds one", async () => {
  for (const { registry } of [stage.authToken, stage.gateway.broker]) {
    expect(found(circularText(registry.getNodeList({ withServices: true })))).toEqual([]);
    expect(found(circularText(registry.getServiceList({ withActions: true, withEvents: true })))).toEqual([]);
  }
});

test("no metric holds one", async () => {
  for (const broker of [stage.authToken, stage.gateway.broker])
    expect(found(await runtimeOf(broker).metrics.text())).toEqual([]);
});

test("no collection holds one in the clear", async () => {
  for (const { name } of await stage.database().listCollections().toArray()) {
    const dump = JSON.stringify(await stage.database().collection(name).find().toArray());
    expect([name, found(dump)]).toEqual([name, []]);
  }
});

test("line breaks and escapes from outside stay inside one JSON line", async () => {
  const evil = 'x"\n{"level":"fatal","msg":"forged"}\u001b[31m\r\n';
  await stage.tokenRequest(tokenForm(stage.assertion(partner, { clientId: evil })));
  await stage.login({ email: `a${evil}@b.example`, password: evil });
  await stage.request(PROFILES, { headers: { authorization: "Bearer x", "svc-request-id": "a b" } });
  for (const line of stage.log) {
    expect(line.trimEnd()).not.toContain("\n");
    expect(line).not.toContain("\u001b");
    expect((JSON.parse(line) as { msg: string }).msg).not.toBe("forged");
  }
});

test("security events are told: logins, refusals, changes of keys and credentials", () => {
  const facts = new Set(stage.log.map((line) => (JSON.parse(line) as { msg?: string }).msg));
  for (const fact of [
    "login.succeeded",
    "login.failed",
    "token.refused",
    "access.denied",
    "signing_key.rotated",
    "password.reset",
    "certificate.registered",
    "logout.done",
  ])
    expect(facts).toContain(fact);
});

function circularText(value: unknown): string {
  const seen = new WeakSet<object>();
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (inner === null || typeof inner !== "object") return inner;
    if (seen.has(inner)) return "[seen]";
    seen.add(inner);
    return inner;
  });
}
