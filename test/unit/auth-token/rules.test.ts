import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { clientIdFor } from "../../../services/auth-token/account/client-id.rules.ts";
import { readCommonPasswords } from "../../../services/auth-token/account/common-passwords.ts";
import { checkPassword, passwordProblem } from "../../../services/auth-token/account/password.rules.ts";
import { comparedEmail, normalEmail, partnerRole } from "../../../services/auth-token/account/user.rules.ts";
import {
  askerAfter,
  CODE_THROTTLES,
  pauseAfter,
  pauseLeft,
  THROTTLES,
  tooManyTries,
  triesWithNext,
} from "../../../services/auth-token/session/login-throttle.rules.ts";
import {
  endsAt,
  isAlive,
  sessionEnd,
  shouldTouch,
} from "../../../services/auth-token/session/session.rules.ts";
import { grantedScopes, readScopes } from "../../../services/auth-token/token/scope.rules.ts";
import { SCOPES } from "../../../shared/identity/caller.ts";

const PARTNER_ID = "3f2a9c1d-4b5e-4f6a-8b7c-9d0e1f2a3b4c";

describe("clientIdFor", () => {
  test.each([
    ["Acme Trading Ltd", "acme-trading-ltd-3f2a9c1d4b5e"],
    ["  Ünïcode & Söhne!  ", "unicode-sohne-3f2a9c1d4b5e"],
    ["日本株式会社", "partner-3f2a9c1d4b5e"],
    ["A".repeat(80), `${"a".repeat(40)}-3f2a9c1d4b5e`],
    [
      "The Very Long Name Of A Company Which Never Ends",
      "the-very-long-name-of-a-company-which-ne-3f2a9c1d4b5e",
    ],
    ["---", "partner-3f2a9c1d4b5e"],
  ])("%s: %s", (name, expected) => expect(clientIdFor(name, PARTNER_ID)).toBe(expected));

  test("any name: a slug of at most 40 safe characters and 12 digits of the id", () =>
    fc.assert(
      fc.property(fc.string(), fc.uuid(), (name, id) =>
        /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?-[0-9a-f]{12}$/.test(clientIdFor(name, id)),
      ),
    ));
});

describe("grantedScopes", () => {
  test.each([
    [null, ["partner.read", "partner.write"]],
    ["partner.read", ["partner.read"]],
    ["partner.write partner.read", ["partner.read", "partner.write"]],
    ["partner.read partner.read", ["partner.read"]],
  ])("%s: %j", (requested, expected) => expect(grantedScopes(requested, SCOPES)).toEqual(expected));

  test.each([
    "",
    "partner.admin",
    "partner.read ",
    "partner.read,partner.write",
    "PARTNER.READ",
    "__proto__",
  ])("%j: invalid_scope", (requested) =>
    expect(() => grantedScopes(requested, SCOPES)).toThrow(
      expect.objectContaining({ status: 400, error: "invalid_scope" }),
    ),
  );
});

describe("readScopes", () => {
  test.each([
    [
      ["partner.write", "partner.read"],
      ["partner.read", "partner.write"],
    ],
    [["partner.read"], ["partner.read"]],
  ])("%j: %j", (names, expected) => expect(readScopes(names)).toEqual(expected));

  test.each([
    [[]],
    [["partner.admin"]],
    [["partner.read", "partner.admin"]],
    [["partner.read", "partner.read"]],
    ["partner.read"],
    [null],
  ])("%j: refused", (names) =>
    expect(() => readScopes(names)).toThrow(expect.objectContaining({ type: "ValidationControl.Error" })),
  );
});

describe("login pauses", () => {
  test("none for the first tries, then doubling", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8].map((tries) => pauseAfter(tries, THROTTLES.pair) / 1_000);
    expect(pauses).toEqual([0, 0, 0, 0, 1, 2, 4, 8]);
  });

  test.each([
    ["one person from one address", THROTTLES.pair, 5, 900_000],
    ["one address", THROTTLES.address, 60, 60_000],
    ["one account", THROTTLES.account, 20, 60_000],
    ["the codes of one person from one network", CODE_THROTTLES.pair, 5, 900_000],
    ["the codes of one person from all other networks", CODE_THROTTLES.strangers, 10, 900_000],
  ])("of %s: the free tries, then a second, and how long it can get", (_name, policy, freeTries, longest) => {
    expect([freeTries - 1, freeTries, 10_000].map((tries) => pauseAfter(tries, policy))).toEqual([
      0,
      1_000,
      longest,
    ]);
  });

  test("a count pauses until its time has passed, and is forgotten when it has expired", () => {
    const state = { tries: 6, blockedUntil: new Date(5_000), expiresAt: new Date(9_000) };
    expect([1_000, 5_000, 8_999].map((now) => pauseLeft(state, now))).toEqual([4_000, 0, 0]);
    expect([1_000, 8_999, 9_000].map((now) => triesWithNext(state, now))).toEqual([7, 7, 1]);
    expect(pauseLeft({ ...state, expiresAt: new Date(1_000) }, 1_000)).toBe(0);
    expect([pauseLeft(null, 0), triesWithNext(null, 0)]).toEqual([0, 1]);
  });

  test.each([
    [1_000, 1],
    [1_001, 2],
  ])("the error of a pause of %i ms names %i whole seconds", (waitMs, retryAfterSeconds) =>
    expect(tooManyTries(waitMs)).toMatchObject({ type: "Request.RateLimited", data: { retryAfterSeconds } }),
  );
});

test("askerAfter: an account and a network with one or two tries is a newcomer's, whether the account exists or not", () => {
  expect([1, 2, 3, 60].map(askerAfter)).toEqual(["newcomer", "newcomer", "stranger", "stranger"]);
});

describe("passwordProblem", () => {
  const common = readCommonPasswords();
  const facts = ["owner@acme.example", "Acme Trading Ltd"];
  const problem = (password: string) => passwordProblem(password, facts, common);

  test("the list holds the 100,000 most common ones that are long enough", () => {
    expect(common.size).toBe(100_000);
    expect([...common].every((each) => [...each].length >= 8)).toBe(true);
  });

  test.each([
    ["7 characters", "abc!4Xy", /8 to 256/],
    ["257 characters", "aB3!".repeat(65).slice(0, 257), /8 to 256/],
    ["a common one", "iloveyou", /common/],
    ["one that leaked often", "Liverpool123", /common/],
    ["a common one in capitals", "PASSWORD", /common/],
    ["two characters in turn", "abababababab", /repeats/],
    ["the email", "owner@acme.example", /too close/],
    ["the company and a digit", "Acme Trading Ltd1", /too close/],
  ])("%s: refused", (_name, password, reason) => expect(problem(password)).toMatch(reason));

  test("around a name of four letters: refused; around one of three: taken", () => {
    expect(passwordProblem("Acme!7x", ["Acme"], common)).toMatch(/8 to 256/);
    expect(passwordProblem("Longacme", ["longacme"], common)).toMatch(/too close/);
    expect(passwordProblem("owner@x7", ["owner@x"], common)).toMatch(/too close/);
  });

  test.each([
    ["8 characters", "g7#kQ!2z"],
    ["256 characters", "aB3!".repeat(64)],
    ["three different characters", "abcabcabcabc"],
    ["64 characters", "correct horse battery staple ".repeat(3).slice(0, 64)],
    ["200 characters", "correct horse battery staple ".repeat(8).slice(0, 200)],
    ["only lower case", "tulip sandwich gravel"],
    ["another alphabet", "пароль-подлиннее-чем-обычно"],
    ["8 emoji, which are 16 code units", "🐢🐙🦊🐝🐳🦉🐌🦔"],
    ["the domain of the email and a digit", "acme.example7"],
    ["the company inside a long sentence", "acme trading ltd buys seventy green umbrellas"],
  ])("%s: accepted", (_name, password) => expect(problem(password)).toBeNull());
});

describe("checkPassword", () => {
  const check = (value: unknown) => checkPassword(value, ["owner@acme.example"], new Set(["iloveyou"]));

  test("a good one: comes back exactly as given", () => {
    expect(check("  Tulip Sandwich ")).toBe("  Tulip Sandwich ");
  });

  test.each<[unknown, string]>([
    [undefined, "The password is missing."],
    [12345678, "The password is missing."],
    [{ $ne: "" }, "The password is missing."],
    ["short", "The password must have 8 to 256 characters."],
    ["ILoveYou", "The password is one of the most common ones."],
    ["aaaabbbb", "The password repeats the same characters."],
    ["Owner@acme.example12", "The password is too close to the email or the partner's name."],
    ["xowner123", "accepted"],
    ["1owner23", "The password is too close to the email or the partner's name."],
  ])("%j: %s", (value, message) => {
    if (message === "accepted") expect(check(value)).toBe(value);
    else
      expect(() => check(value)).toThrow(
        expect.objectContaining({ type: "ValidationControl.Error", message }),
      );
  });

  test("a fact of fewer than four characters says nothing", () => {
    expect(checkPassword("acm-1234", ["acm", "x@y.z"], new Set())).toBe("acm-1234");
  });
});

describe("session times", () => {
  const start = Date.UTC(2026, 0, 1);
  const MINUTE = 60_000;
  const session = (lastSeen: number) => ({
    _id: "s",
    userId: "u",
    partnerId: null,
    createdAt: new Date(start),
    credentialVersion: 0,
    lastSeenAt: new Date(lastSeen),
    expiresAt: sessionEnd(start),
  });

  test.each([
    ["at once", 0, 0, true],
    ["a millisecond before 30 idle minutes", 0, 30 * MINUTE - 1, true],
    ["at 30 idle minutes", 0, 30 * MINUTE, false],
    ["busy, a millisecond before 12 hours", 12 * 60 * MINUTE - 2, 12 * 60 * MINUTE - 1, true],
    ["busy, at 12 hours", 12 * 60 * MINUTE - 1, 12 * 60 * MINUTE, false],
  ])("%s: alive %s", (_name, seen, now, alive) =>
    expect(isAlive(session(start + seen), start + now)).toBe(alive),
  );

  test("the end that is told is the nearer of the two", () => {
    expect(endsAt(session(start), start).getTime()).toBe(start + 30 * MINUTE);
    expect(endsAt(session(start), start + 11.75 * 60 * MINUTE).getTime()).toBe(start + 12 * 60 * MINUTE);
  });

  test("a visit is written at most every 30 s", () => {
    expect([29_999, 30_000].map((later) => shouldTouch(session(start), start + later))).toEqual([
      false,
      true,
    ]);
  });
});

describe("normalEmail and partnerRole", () => {
  test.each(["", "a", "a@b", "a@@b.c", "a b@c.de", "a@b..c", `${"a".repeat(260)}@b.cd`, 5, null, { $ne: 1 }])(
    "%j is no email",
    (value) => expect(() => normalEmail(value)).toThrow("email"),
  );
  test("an email of 255 characters is one, of 256 is none", () => {
    const ofLength = (length: number) => `a@${"b".repeat(length - 5)}.cd`;
    expect(normalEmail(ofLength(255))).toHaveLength(255);
    expect(() => normalEmail(ofLength(256))).toThrow("email");
  });
  test("an email becomes lower case", () => expect(normalEmail("Ada@Acme.Example")).toBe("ada@acme.example"));
  test("a composed and a decomposed letter are the same email", () => {
    const [composed, decomposed] = ["Ren\u00e9@acme.example", "Rene\u0301@Acme.Example"];
    expect(normalEmail(decomposed)).toBe(normalEmail(composed));
    expect(comparedEmail(decomposed)).toBe("ren\u00e9@acme.example");
    // Lower case of this letter is two characters, which must be composed again.
    expect(normalEmail("\u0130x@acme.example")).toBe(normalEmail(normalEmail("\u0130x@acme.example")));
  });
  test.each([
    ["ESC", "\u001b"],
    ["a mark of direction", "\u202e"],
    ["a space of no width", "\u200b"],
    ["a joiner", "\u200d"],
    ["a soft hyphen", "\u00ad"],
    ["a filler", "\u3164"],
    ["a byte order mark", "\ufeff"],
    ["half a surrogate pair", "\ud800"],
  ])("an email with %s is none, in the name and in the domain", (_, hidden) => {
    for (const email of [`a${hidden}b@acme.example`, `ab@ac${hidden}me.example`])
      expect(() => normalEmail(email)).toThrow("email");
  });
  test("a refusal names its field", () => {
    for (const [field, refuse] of [
      ["email", () => normalEmail("x")],
      ["role", () => partnerRole("Analyst")],
      ["newPassword", () => checkPassword("password", [], new Set(["password"]), "newPassword")],
      ["password", () => checkPassword("password", [], new Set(["password"]))],
    ] as const)
      expect(refuse).toThrow(
        expect.objectContaining({ data: { details: [expect.objectContaining({ field })] } }),
      );
  });
  test.each(["Owner", "Developer", "Viewer"])("%s is a role of a partner's person", (role) =>
    expect(partnerRole(role)).toBe(role),
  );
  test.each(["Analyst", "owner", "", null])("%j is no role of a partner's person", (value) =>
    expect(() => partnerRole(value)).toThrow("role"),
  );
});
