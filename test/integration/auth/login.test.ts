/** Passwords: one answer for every wrong login, and pauses that grow but never last. */
import { createHook } from "node:async_hooks";
import { argon2Sync } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { several } from "../../support/builders/records.ts";
import { repetitions } from "../../support/repetitions.ts";
import { startRunningTime } from "../../support/running-time.ts";
import { type Answer, type AuthStage, refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";

let partnerId: string;
const stage = stageOfFile(() => startAuthStage({ PBO_TRUSTED_PROXIES: "127.0.0.0/8" }));
beforeAll(async () => {
  ({ partnerId } = await stage.partner());
});

const HOUR = 3_600_000;
/** Each test comes from addresses of its own; the gateway trusts its local proxy. */
let lastAddress = 0;
const freshAddress = (): string => {
  lastAddress += 1;
  return `203.0.113.${lastAddress}`;
};
const tryLogin = (email: string, password: string, address: string): Promise<Answer> =>
  stage.login({ email, password }, { "X-Forwarded-For": address });

describe("a wrong login", () => {
  test("wrong password and unknown user: the same status and body but for the request id", async () => {
    const { email } = await stage.user(partnerId, "Owner");
    const wrong = await tryLogin(email, "not the password", freshAddress());
    const unknown = await tryLogin("nobody@nowhere.example", "not the password", freshAddress());
    const shape = ({ status, body }: Answer) => ({
      status,
      ...body,
      error: { ...body.error, requestId: "-" },
    });
    expect(shape(wrong)).toEqual(shape(unknown));
    expect(shape(wrong)).toEqual({
      status: 401,
      value: null,
      isSuccess: false,
      error: {
        code: "Session.InvalidCredentials",
        description: "The email or the password is wrong.",
        requestId: "-",
        details: [],
        docsUrl: expect.stringMatching(/\/docs\/errors#Session\.InvalidCredentials$/),
      },
    });
    expect(wrong.headers.get("set-cookie")).toBeNull();
  });

  test("is hashed once for an unknown user as for a known one, so that its time does not tell them apart", async () => {
    for (const email of [(await stage.user(partnerId, "Owner")).email, "none@nowhere.example"])
      expect(await hashesOf(() => tryLogin(email, "not the password", freshAddress()))).toBe(1);
  });

  test("is logged with a name of the account that is not its email, the same as that of a right one", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    const namesIn = (phrase: string): unknown[] =>
      stage.log
        .join("")
        .split("\n")
        .filter((line) => line.includes(phrase))
        .map((line) => JSON.parse(line).accountHash);
    const begin = namesIn("login.failed").length;
    await tryLogin(email, "not the password", freshAddress());
    await tryLogin(email.toUpperCase(), password, freshAddress());
    await tryLogin("nobody@nowhere.example", "not the password", freshAddress());
    const [failed, unknown] = namesIn("login.failed").slice(begin);
    expect(failed).toMatch(/^[A-Za-z0-9_-]{22}$/);
    expect(namesIn("login.succeeded").at(-1)).toBe(failed);
    expect(unknown).not.toBe(failed);
    expect(stage.log.join("")).not.toContain(email);
  });

  test.each([
    ["an empty body", {}],
    ["no password", { email: "a@b.example" }],
    ["an object as email", { email: { $ne: null }, password: "x" }],
    ["an array as password", { email: "a@b.example", password: ["x"] }],
  ])("%s: 400 ValidationControl.Error", async (_name, body) => {
    const answer = await stage.send("POST", "/api/customer/v1/session", "", body);
    expect(refusalOf(answer)).toEqual([400, "ValidationControl.Error"]);
  });

  test("the email is compared in lower case, the password exactly", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    expect((await tryLogin(email.toUpperCase(), password, freshAddress())).status).toBe(200);
    expect((await tryLogin(email, password.toUpperCase(), freshAddress())).status).toBe(401);
    expect((await tryLogin(email, `${password} `, freshAddress())).status).toBe(401);
  });
});

describe("many wrong logins", () => {
  beforeAll(() => stage.clock.hold());

  test("wrong logins of one person from one address: 429 with Retry-After, then the right password after the pause", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    const address = freshAddress();
    for (let attempt = 0; attempt < 5; attempt += 1)
      expect((await tryLogin(email, "wrong password", address)).status).toBe(401);
    const paused = await tryLogin(email, password, address);
    expect(refusalOf(paused)).toEqual([429, "Request.RateLimited"]);
    expect(Number(paused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    stage.clock.move(1_500);
    expect((await tryLogin(email, password, address)).status).toBe(200);
    expect((await tryLogin(email, "wrong password", address)).status).toBe(401);
  });

  test("in parallel: no more tries get through than one after the other", async () => {
    const { email } = await stage.user(partnerId, "Owner");
    const address = freshAddress();
    const answers = await Promise.all(several(30, () => tryLogin(email, "wrong password", address)));
    expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
    expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(25);
  });

  test("pauses grow, survive a restart of the service, and end", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    const address = freshAddress();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const answer = await tryLogin(email, "wrong password", address);
      if (answer.status === 401) continue;
      const seconds = Number(answer.headers.get("retry-after"));
      pauses.push(seconds);
      stage.clock.move(seconds * 1_000);
    }
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBeGreaterThan(pauses[0] ?? 0);

    const replacement = await stage.startAuthToken();
    const meta = { requestId: "restart", traceparent: "", caller: null, clientAddress: address };
    const params = { params: {}, query: {}, headers: { ifMatch: null } };
    const loginThere = (tried: string) =>
      replacement.call("auth-token.login", { ...params, body: { email, password: tried } }, { meta });
    await loginThere("wrong password").catch(() => undefined);
    await expect(loginThere(password)).rejects.toMatchObject({ type: "Request.RateLimited" });
    stage.clock.move(HOUR);
    expect((await tryLogin(email, password, address)).status).toBe(200);
    await stage.stopBroker(replacement);
  });

  test("wrong logins of one account from many addresses pause strangers, never a known address of the person", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    const home = freshAddress();
    expect((await tryLogin(email, password, home)).status).toBe(200);
    for (let attempt = 0; attempt < 25; attempt += 1) await tryLogin(email, "wrong password", freshAddress());
    expect((await tryLogin(email, password, freshAddress())).status).toBe(429);
    expect((await tryLogin(email, password, home)).status).toBe(200);
    stage.clock.move(61_000);
    expect((await tryLogin(email, password, freshAddress())).status).toBe(200);
  });

  test("wrong logins of many accounts from one address pause every person there", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    const address = freshAddress();
    for (let attempt = 0; attempt < 60; attempt += 1)
      await tryLogin(`guess${attempt}@acme.test`, "Summer2026!", address);
    expect((await tryLogin(email, password, address)).status).toBe(429);
    expect((await tryLogin(email, password, freshAddress())).status).toBe(200);
  });
});

test("right logins of one person from one address in parallel: none is paused", async () => {
  const { email, password } = await stage.user(partnerId, "Owner");
  const address = freshAddress();
  const answers = await Promise.all(several(12, () => tryLogin(email, password, address)));
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
});

describe("an IPv6 address counts as its /64", () => {
  test("wrong logins of one person from five addresses of it: paused at the sixth", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    for (let host = 1; host <= 5; host += 1)
      expect((await tryLogin(email, "wrong password", `2001:db8:5:5::${host}`)).status).toBe(401);
    expect((await tryLogin(email, password, "2001:db8:5:5:ffff::6")).status).toBe(429);
    expect((await tryLogin(email, password, "2001:db8:5:6::1")).status).toBe(200);
  });

  test("a person who signed in from it before is known at every address of it", async () => {
    const { email, password } = await stage.user(partnerId, "Owner");
    expect((await tryLogin(email, password, "2001:db8:7:7::1")).status).toBe(200);
    for (let attempt = 0; attempt < 25; attempt += 1) await tryLogin(email, "wrong password", freshAddress());
    expect((await tryLogin(email, password, "2001:db8:7:8::1")).status).toBe(429);
    expect((await tryLogin(email, password, "2001:db8:7:7:1:2:3:4")).status).toBe(200);
  });
});

const GUESSES_AT_ONCE = repetitions({ short: 20, nightly: 100 });
/** So that a hash takes long enough for others to stand in line; at full cost in the nightly run. */
const FLOODED_MEMORY_KIB = repetitions({ short: 4_096, nightly: 19_456 });
/** The promise is five seconds; in npm test other suites share the machine. */
const SIGN_IN_WITHIN_MS = repetitions({ short: 60_000, nightly: 5_000 });

test("a flood from many networks queues; people at addresses they signed in from before get in", async () => {
  const busy = await startAuthStage({
    PBO_TRUSTED_PROXIES: "127.0.0.0/8",
    PBO_PASSWORD_MEMORY_KIB: String(FLOODED_MEMORY_KIB),
  });
  try {
    const { partnerId: ownId } = await busy.partner();
    const people = await Promise.all(several(4, () => busy.user(ownId, "Owner")));
    const signInAll = async (): Promise<number[]> => {
      const logins = people.map((login, index) =>
        busy.login(login, { "X-Forwarded-For": `2001:db8:99:${index + 1}::1` }),
      );
      return (await Promise.all(logins)).map(({ status }) => status);
    };
    expect(await signInAll()).toEqual(Array(4).fill(200));
    const emails = people.map(({ email }) => email);
    const flood = aFlood(busy, emails);
    // The first hash of the flood is made: the others are queued.
    await flood.first;
    const signingIn = startRunningTime();
    expect(await signInAll()).toEqual(Array(4).fill(200));
    expect(signingIn.ranMs()).toBeLessThan(SIGN_IN_WITHIN_MS);
    for (const status of await flood.end()) expect([401, 429, 503]).toContain(status);
  } finally {
    await busy.stop();
  }
});

/** Guesses at once, each from a network of its own, half of them at people who exist; it goes on until its end is asked for. */
function aFlood(stage: AuthStage, emails: readonly string[]) {
  const seen: number[] = [];
  let networks = 0;
  let isOver = false;
  async function guess(): Promise<void> {
    const network = networks++;
    const known = emails[network % emails.length] ?? "";
    const email = network % 2 ? known : `guess${network}@acme.test`;
    const { status } = await stage.login(
      { email, password: "Summer2026!" },
      { "X-Forwarded-For": `198.${51 + (network >> 8)}.${network & 255}.1` },
    );
    seen.push(status);
  }
  async function goOn(first: Promise<void>): Promise<void> {
    await first;
    while (!isOver && networks < 10_000) await guess();
  }
  const begun = several(GUESSES_AT_ONCE, guess);
  const ended = Promise.all(begun.map(goOn));
  async function end(): Promise<number[]> {
    isOver = true;
    await ended;
    return seen;
  }
  return { first: Promise.race(begun), end };
}

describe("a stored password", () => {
  test("is argon2id with the memory of the settings, t=2, p=1 and a salt of its own", async () => {
    await stage.user(partnerId, "Owner");
    const users = await stage.database().collection("users").find().toArray();
    const hashes = users.map(({ passwordHash }) => passwordHash);
    for (const hash of hashes)
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(new Set(hashes.map((hash) => hash.split("$")[4])).size).toBe(hashes.length);
  });

  test("made with older parameters is right all the same, and made anew at the login", async () => {
    const { email } = await stage.user(partnerId, "Owner");
    // argon2id, m=8192, t=1, p=1 over "an older password", salt "saltsaltsaltsalt".
    const cost = { memory: 8_192, passes: 1, parallelism: 1, tagLength: 32 };
    const tag = argon2Sync("argon2id", { message: "an older password", nonce: "saltsaltsaltsalt", ...cost });
    const encoded = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");
    const passwordHash = `$argon2id$v=19$m=8192,t=1,p=1$${encoded(Buffer.from("saltsaltsaltsalt"))}$${encoded(tag)}`;
    await stage.database().collection("users").updateOne({ email }, { $set: { passwordHash } });
    expect((await tryLogin(email, "an older password", freshAddress())).status).toBe(200);
    const user = await stage.database().collection("users").findOne({ email });
    expect(user?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=64,t=2,p=1\$/);
    expect((await tryLogin(email, "an older password", freshAddress())).status).toBe(200);
  });

  test("a password of 64 or 200 characters counts to its last character", async () => {
    for (const length of [64, 200]) {
      const email = `long${length}@acme.test`;
      const password = "correct horse battery staple ".repeat(10).slice(0, length - 1);
      const person = { partnerId, role: "Owner", email, password: `${password}A` };
      await stage.call("auth-token.createUser", person);
      expect((await tryLogin(email, `${password}B`, freshAddress())).status).toBe(401);
      expect((await tryLogin(email, `${password}A`, freshAddress())).status).toBe(200);
    }
  });
});

/** How often argon2 ran in this process, which the service under test is part of. */
async function hashesOf(act: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "ARGON2REQUEST") count += 1;
    },
  }).enable();
  await act().finally(() => hook.disable());
  return count;
}
