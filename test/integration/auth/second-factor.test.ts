/** The own account: password, second factor, and what only somebody who just signed in may do. */
import { beforeAll, describe, expect, test } from "@jest/globals";
import { authenticatorCode } from "../../support/clients/second-factor.ts";
import {
  type Answer,
  codeOf,
  cookieOf,
  type Login,
  refusalOf,
  startAuthStage,
} from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const SESSION = "/api/customer/v1/session";
const FACTOR = `${SESSION}/second-factor`;
const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const TEAM = "/api/customer/v1/partner-profile/team";
const CASES = "/api/compliance/v1/cases";
const STEP = 30_000;

const stage = stageOfFile(() =>
  startAuthStage({
    PBO_SECOND_FACTOR: "analysts",
    PBO_FRESH_SIGN_IN_MINUTES: "10",
    PBO_TRUSTED_PROXIES: "127.0.0.0/8",
  }),
);
const partner = ofFile(() => stage.partner());
beforeAll(async () => {
  stage.clock.hold();
});

const send = (method: string, path: string, cookie: string, body?: unknown): Promise<Answer> =>
  stage.send(method, path, cookie, body);
const statusWith = async (cookie: string): Promise<number> => (await send("GET", SESSION, cookie)).status;
const granted = async (answer: Promise<Answer>) => {
  const { status, body, text } = await answer;
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.value;
};
const authenticator = (secret: string) => () => authenticatorCode(secret, stage.clock.now());

async function enrol(login: Login) {
  const cookie = await stage.cookie(login);
  const { secret } = await granted(send("POST", FACTOR, cookie));
  const code = authenticator(secret);
  const { recoveryCodes } = await granted(send("POST", `${FACTOR}/confirm`, cookie, { code: code() }));
  stage.clock.move(STEP);
  return { cookie, code, secret, recoveryCodes: recoveryCodes as string[] };
}

describe("a second factor", () => {
  test("is asked for with a right password only, and its code works once", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { code } = await enrol(login);
    expect(codeOf(await stage.login({ ...login, password: "wrong" }))).toBe("Session.InvalidCredentials");
    const asked = await stage.login(login);
    expect([...refusalOf(asked), cookieOf(asked)]).toEqual([401, "Session.SecondFactorRequired", ""]);
    const withCode = { ...login, code: code() };
    expect((await stage.login(withCode)).status).toBe(200);
    expect(codeOf(await stage.login(withCode))).toBe("Session.SecondFactorInvalid");
    stage.clock.move(STEP);
    const both = { ...login, code: code() };
    const answers = await Promise.all([stage.login(both), stage.login(both)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test("not confirmed, or confirmed with a wrong code: is not asked for", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(login);
    await granted(send("POST", FACTOR, cookie));
    expect(codeOf(await send("POST", `${FACTOR}/confirm`, cookie, { code: "000000" }))).toBe(
      "Session.SecondFactorInvalid",
    );
    expect((await stage.login(login)).status).toBe(200);
  });

  test("recovery codes: ten, each in place of a code, once, however it is written", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { recoveryCodes, code } = await enrol(login);
    expect(new Set(recoveryCodes).size).toBe(10);
    const [first = "", second = ""] = recoveryCodes;
    const signIn = (given: string) => stage.login({ ...login, code: given });
    expect((await signIn(first)).status).toBe(200);
    expect(codeOf(await signIn(first))).toBe("Session.SecondFactorInvalid");
    const answer = await signIn(second.toLowerCase().replaceAll("-", " "));
    expect(answer.status).toBe(200);
    expect(await granted(send("GET", FACTOR, cookieOf(answer)))).toMatchObject({
      enabled: true,
      required: false,
      recoveryCodesLeft: 8,
    });
    expect((await signIn(code())).status).toBe(200);
  });

  test("guessed codes: paused after five from one network, after ten from all strange ones", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { code } = await enrol(login);
    const guess = async (address: string): Promise<number> =>
      (await stage.login({ ...login, code: "000000" }, { "X-Forwarded-For": address })).status;
    const seen = [];
    for (let index = 0; index < 7; index += 1) seen.push(await guess("203.0.113.1"));
    expect(seen).toEqual([401, 401, 401, 401, 401, 429, 429]);
    const strangers = [];
    for (let index = 2; index < 9; index += 1) strangers.push(await guess(`203.0.113.${index}`));
    expect(strangers).toEqual([401, 401, 401, 401, 401, 429, 429]);
    // The person signed in from this network before, so nothing of it is a pause here.
    stage.clock.move(STEP);
    expect((await stage.login({ ...login, code: code() })).status).toBe(200);
  });

  test("a stranger who knows the password and guesses codes for an hour: the person signs in at home", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { code } = await enrol(login);
    for (let round = 0; round < 12; round += 1) {
      for (let index = 0; index < 6; index += 1)
        await stage.login(
          { ...login, code: "000000" },
          { "X-Forwarded-For": `198.51.100.${(round * 6 + index) % 250}` },
        );
      stage.clock.move(5 * 60_000);
      expect((await stage.login({ ...login, code: code() })).status).toBe(200);
    }
  });

  test("set up: ends the other sessions, which were opened without it", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const other = await stage.cookie(login);
    const { cookie } = await enrol(login);
    expect([await statusWith(other), await statusWith(cookie)]).toEqual([401, 200]);
  });

  test("is removed by the person with a code, or by an operator for one who lost it", async () => {
    for (const remove of [
      (cookie: string, _: string, code: string) => send("DELETE", FACTOR, cookie, { code }),
      (_: string, email: string) => stage.call("auth-token.resetSecondFactor", { email }),
    ]) {
      const login = await stage.user(partner.partnerId, "Owner");
      const { cookie, code } = await enrol(login);
      await remove(cookie, login.email, code());
      expect((await stage.login(login)).status).toBe(200);
    }
  });

  test("removed by the person: ends the other sessions", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { cookie, code } = await enrol(login);
    const other = cookieOf(await stage.login({ ...login, code: code() }));
    stage.clock.move(STEP);
    expect(await statusWith(other)).toBe(200);
    expect((await send("DELETE", FACTOR, cookie, { code: code() })).status).toBe(200);
    expect([await statusWith(other), await statusWith(cookie)]).toEqual([401, 200]);
  });

  test.each(["POST", "DELETE"])(
    "in force, %s without its code, or with a wrong one: refused, and it stays",
    async (method) => {
      const login = await stage.user(partner.partnerId, "Owner");
      const { cookie, recoveryCodes } = await enrol(login);
      for (const [body, expected] of [
        [undefined, [401, "Session.SecondFactorRequired"]],
        [{}, [401, "Session.SecondFactorRequired"]],
        [{ code: "000000" }, [401, "Session.SecondFactorInvalid"]],
        [{ code: 123456 }, [400, "ValidationControl.Error"]],
      ] as const) {
        expect(refusalOf(await send(method, FACTOR, cookie, body))).toEqual(expected);
      }
      const stored = await stage.database().collection("users").findOne({ email: login.email });
      expect(stored?.pendingSecondFactor).toBeNull();
      expect(codeOf(await stage.login(login))).toBe("Session.SecondFactorRequired");
      const [recovery] = recoveryCodes;
      expect((await send(method, FACTOR, cookie, { code: recovery })).status).toBe(200);
    },
  );

  test("wrong codes in an open session count like those of a login", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { cookie, code } = await enrol(login);
    const guess = { code: "000000" };
    const seen = [];
    for (const method of ["POST", "DELETE", "POST", "DELETE", "POST", "DELETE"])
      seen.push((await send(method, FACTOR, cookie, guess)).status);
    expect(seen).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await stage.login({ ...login, code: code() })).status).toBe(429);
  });

  test("replaced: the new one needs a code of the one before, and then of itself", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { cookie, code } = await enrol(login);
    const { secret } = await granted(send("POST", FACTOR, cookie, { code: code() }));
    const next = authenticator(secret);
    expect((await send("POST", `${FACTOR}/confirm`, cookie, { code: next() })).status).toBe(200);
    stage.clock.move(STEP);
    expect(codeOf(await stage.login({ ...login, code: code() }))).toBe("Session.SecondFactorInvalid");
    expect((await stage.login({ ...login, code: next() })).status).toBe(200);
  });

  test("is stored sealed: neither the secret nor a recovery code is in the database", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { secret, recoveryCodes } = await enrol(login);
    const stored = JSON.stringify(await stage.database().collection("users").findOne({ email: login.email }));
    for (const plain of [secret, ...recoveryCodes, recoveryCodes[0]?.replaceAll("-", "")])
      expect(stored).not.toContain(plain);
    expect(stored).toMatch(/"sealed":"v1\./);
  });
});

describe("a role that needs a second factor", () => {
  test("without one: signs in and can set it up, and nothing else", async () => {
    const login = await stage.analyst();
    const cookie = await stage.cookie(login);
    expect(await statusWith(cookie)).toBe(200);
    expect(await granted(send("GET", FACTOR, cookie))).toMatchObject({ enabled: false, required: true });
    expect(refusalOf(await send("GET", CASES, cookie))).toEqual([403, "Session.SecondFactorMissing"]);
    const enrolled = await enrol(login);
    expect((await send("GET", CASES, enrolled.cookie)).status).toBe(200);
    expect(codeOf(await send("DELETE", FACTOR, enrolled.cookie))).toBe("Session.SecondFactorMissing");
  });
});

describe("ten minutes after signing in", () => {
  test("certificates and the team can be read, and changed only after another login", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(login);
    const id = await stage.userId((await stage.user(partner.partnerId, "Viewer")).email);
    const changes = (with_: string) =>
      Promise.all([
        send("POST", CREDENTIALS, with_, { certificate: "x" }),
        send("POST", `${TEAM}/${id}/disable`, with_),
        send("POST", FACTOR, with_),
      ]);
    stage.clock.move(10 * 60_000);
    expect((await changes(cookie)).map(codeOf)).toEqual(["Certificate.Invalid", null, null]);
    stage.clock.move(1_000);
    const refused = await changes(cookie);
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(new Set(refused.map(codeOf))).toEqual(new Set(["Session.FreshSignInRequired"]));
    expect((await send("GET", CREDENTIALS, cookie)).status).toBe(200);
    const again = cookieOf(await stage.login(login, { cookie }));
    expect((await changes(again)).map(codeOf)).toEqual(["Certificate.Invalid", null, null]);
  });
});

describe("changing the own password", () => {
  const change = (cookie: string, currentPassword: string, newPassword: unknown) =>
    send("POST", `${SESSION}/password`, cookie, { currentPassword, newPassword });

  test("needs the present one; ends every session and opens a new one", async () => {
    const login = await stage.user(partner.partnerId, "Viewer");
    const [cookie, other] = [await stage.cookie(login), await stage.cookie(login)];
    const wrong = await change(cookie, "not the password", "tulip sandwich gravel");
    expect(refusalOf(wrong)).toEqual([401, "Session.InvalidCredentials"]);
    expect(await statusWith(other)).toBe(200);
    const changed = await change(cookie, login.password, "tulip sandwich gravel");
    expect(changed.status).toBe(200);
    const statuses = [cookie, other, cookieOf(changed)].map(statusWith);
    expect(await Promise.all(statuses)).toEqual([401, 401, 200]);
    expect((await stage.login(login)).status).toBe(401);
    expect((await stage.login({ ...login, password: "tulip sandwich gravel" })).status).toBe(200);
  });

  test.each([
    ["a common one", "liverpool123"],
    ["too short", "g7#kQ!2"],
    ["no text", 12345678],
  ])("to %s: 400 ValidationControl.Error, and nothing is changed", async (_, wish) => {
    const login = await stage.user(partner.partnerId, "Viewer");
    const cookie = await stage.cookie(login);
    const { body } = await change(cookie, login.password, wish);
    const refusal = { code: "ValidationControl.Error", details: [{ field: "newPassword" }] };
    expect(body.error).toMatchObject(refusal);
    expect(await statusWith(cookie)).toBe(200);
  });

  test("a person with a second factor needs a code, and the session is no fresh sign-in", async () => {
    const login = await stage.user(partner.partnerId, "Owner");
    const { cookie, code, recoveryCodes } = await enrol(login);
    stage.clock.move(10 * 60_000 + 1_000);
    const newPassword = "tulip sandwich gravel";
    const ask = (body: object) =>
      send("POST", `${SESSION}/password`, cookie, { currentPassword: login.password, newPassword, ...body });
    expect(codeOf(await ask({}))).toBe("Session.SecondFactorRequired");
    expect(codeOf(await ask({ code: "000000" }))).toBe("Session.SecondFactorInvalid");
    // A password that cannot be uses up no code.
    const [recovery = ""] = recoveryCodes;
    expect(codeOf(await ask({ code: recovery, newPassword: "liverpool123" }))).toBe(
      "ValidationControl.Error",
    );
    expect(codeOf(await stage.login({ ...login, password: newPassword }))).toBe("Session.InvalidCredentials");
    const changed = await ask({ code: recovery });
    expect(changed.status).toBe(200);
    const renewed = cookieOf(changed);
    expect((await send("GET", SESSION, renewed)).status).toBe(200);
    const refused = await send("POST", FACTOR, renewed, { code: code() });
    expect(codeOf(refused)).toBe("Session.FreshSignInRequired");
    const { items } = await granted(send("GET", `${SESSION}/all`, renewed));
    expect(items).toHaveLength(1);
    expect(Date.parse(items[0].createdAt)).toBeLessThan(stage.clock.now() - 10 * 60_000);
  });

  test("guesses at the present one in an open session: paused like wrong logins", async () => {
    const login = await stage.user(partner.partnerId, "Viewer");
    const cookie = await stage.cookie(login);
    const seen = [];
    for (let guess = 0; guess < 6; guess += 1)
      seen.push((await change(cookie, `guess ${guess}`, "tulip sandwich gravel")).status);
    expect(seen).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
