import { describe, expect, test } from "@jest/globals";
import { cookieOf, refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const SESSION = "/api/customer/v1/session";
const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());

const read = (cookie: string, path = SESSION, headers: Record<string, string> = {}) =>
  stage.send("GET", path, cookie, undefined, headers);
const statusWith = async (...args: Parameters<typeof read>): Promise<number> => (await read(...args)).status;
/** Read by a page, not by its person. */
const BACKGROUND = { "Svc-Background": "true" };

describe("the cookie", () => {
  test("is HttpOnly, Lax, for every path of this host only, for 12 hours, and never cached", async () => {
    const answer = await stage.login(await stage.user(partner.partnerId, "Owner"));
    const [pair, ...attributes] = (answer.headers.get("set-cookie") ?? "").split("; ");
    expect(pair).toMatch(/^pbo_session=[A-Za-z0-9_-]{43}$/);
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Lax"]);
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("under https is Secure and has the __Host- prefix", async () => {
    const production = await startAuthStage({ PBO_BASE_URL: "https://onboarding.example" });
    try {
      const { partnerId } = await production.partner();
      const answer = await production.login(await production.user(partnerId, "Owner"));
      const [pair, ...attributes] = (answer.headers.get("set-cookie") ?? "").split("; ");
      expect(pair).toMatch(/^__Host-pbo_session=/);
      expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Lax", "Secure"]);
      expect((await production.send("GET", SESSION, String(pair))).status).toBe(200);
    } finally {
      await production.stop();
    }
  });

  test("is stored nowhere on the server, only its hash", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    const value = cookie.split("=")[1] ?? "";
    const dump = JSON.stringify(await stage.database().collection("sessions").find().toArray());
    expect(dump).not.toContain(value);
  });
});

describe("GET session", () => {
  test("says who is signed in, of which partner, and until when", async () => {
    const user = await stage.user(partner.partnerId, "Viewer");
    const { body } = await read(await stage.cookie(user));
    expect(body.value).toEqual({
      user: { email: user.email, role: "Viewer", isLead: false },
      partner: { partnerId: partner.partnerId, name: partner.name },
      expiresAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });

  test("the session of an analyst has no partner", async () => {
    const { body } = await read(await stage.cookie(await stage.analyst()));
    expect(body.value).toMatchObject({ user: { role: "Analyst" }, partner: null });
  });

  test.each([
    ["no cookie", ""],
    ["a value that was never given out", `pbo_session=${"A".repeat(43)}`],
    ["an operator in the value", "pbo_session=[$ne]=1"],
  ])("%s: 401 Partner.NotAuthenticated", async (_name, cookie) => {
    const answer = await read(cookie);
    expect(refusalOf(answer)).toEqual([401, "Partner.NotAuthenticated"]);
    expect(answer.headers.get("www-authenticate")).toMatch(/^Cookie /);
  });
});

test.each([
  ["before", (planted: string, own: string) => `${planted}; ${own}`],
  ["behind", (planted: string, own: string) => `${own}; ${planted}`],
])("a second cookie %s the one of a session: neither is believed", async (_name, both) => {
  const own = await stage.cookieOfA("Owner", partner.partnerId);
  const other = await stage.cookieOfA("Owner", partner.partnerId);
  expect([await statusWith(own), await statusWith(other)]).toEqual([200, 200]);
  for (const planted of [`pbo_session=${"A".repeat(43)}`, other])
    expect(await statusWith(both(planted, own))).toBe(401);
});

describe("a session ends", () => {
  test("at the logout, on the server", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    const logout = () => stage.send("DELETE", SESSION, cookie);
    const answer = await logout();
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await statusWith(cookie)).toBe(401);
    expect((await logout()).status).toBe(401);
  });

  test("after 30 minutes without a visit, and not before", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    for (let visit = 0; visit < 3; visit += 1) {
      stage.clock.move(29 * MINUTE);
      expect(await statusWith(cookie)).toBe(200);
    }
    stage.clock.move(31 * MINUTE);
    expect(await statusWith(cookie)).toBe(401);
    stage.clock.move(-31 * MINUTE);
    expect(await statusWith(cookie)).toBe(401);
  });

  test("after 30 minutes of nothing but reads that a page makes by itself", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    stage.clock.move(29 * MINUTE);
    expect(await statusWith(cookie, CREDENTIALS, BACKGROUND)).toBe(200);
    stage.clock.move(2 * MINUTE);
    expect(await statusWith(cookie, CREDENTIALS, BACKGROUND)).toBe(401);
    expect(await statusWith(cookie, CREDENTIALS)).toBe(401);
  });

  test("at the moment that is shown, which reads that a page makes by itself do not move", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    const shown = async (headers = {}) => (await read(cookie, SESSION, headers)).body.value.expiresAt;
    const stored = async () =>
      (await stage.database().collection("sessions").find().sort({ createdAt: -1 }).limit(1).toArray())[0]
        ?.lastSeenAt;
    const [first, seen] = [await shown(), await stored()];
    stage.clock.move(20 * MINUTE);
    expect([await shown(BACKGROUND), await shown(BACKGROUND)]).toEqual([first, first]);
    expect(await stored()).toEqual(seen);
    const moved = await shown();
    expect(Date.parse(moved) - Date.parse(first)).toBeGreaterThanOrEqual(20 * MINUTE);
    expect(await shown(BACKGROUND)).toBe(moved);
  });

  test("12 hours after the login, however busy it is", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    for (let visit = 0; visit < 28; visit += 1) {
      stage.clock.move(25 * MINUTE);
      expect(await statusWith(cookie)).toBe(200);
    }
    stage.clock.move(12 * HOUR - 28 * 25 * MINUTE + 1_000);
    expect(await statusWith(cookie)).toBe(401);
  });

  test("when the password is reset", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const cookie = await stage.cookie(user);
    await stage.call("auth-token.resetPassword", { email: user.email, password: "a new and longer one" });
    expect(await statusWith(cookie)).toBe(401);
    expect((await stage.login(user)).status).toBe(401);
    expect((await stage.login({ ...user, password: "a new and longer one" })).status).toBe(200);
  });
});

describe("fixation", () => {
  test("a login never takes over a session id it is offered, and ends the one it replaces", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const offered = `pbo_session=${"Z".repeat(43)}`;
    const cookie = cookieOf(await stage.login(user, { cookie: offered }));
    expect(cookie).not.toBe(offered);
    expect(await statusWith(offered)).toBe(401);

    const renewed = cookieOf(await stage.login(user, { cookie }));
    expect(renewed).not.toBe(cookie);
    expect([await statusWith(cookie), await statusWith(renewed)]).toEqual([401, 200]);
  });
});

describe("roles", () => {
  test.each([
    ["Owner", [400, "Certificate.Invalid"]],
    ["Developer", [400, "Certificate.Invalid"]],
    ["Viewer", [403, "Partner.InsufficientRole"]],
  ])("%s: reads; a change is answered with %j", async (role, refusal) => {
    const cookie = await stage.cookieOfA(role, partner.partnerId);
    const changed = await stage.send("POST", CREDENTIALS, cookie, { certificate: "x" });
    expect(await statusWith(cookie, CREDENTIALS)).toBe(200);
    expect(refusalOf(changed)).toEqual(refusal);
  });

  test("Analyst: 401 Partner.NotAuthenticated on partner routes", async () => {
    const answer = await read(await stage.cookie(await stage.analyst()), CREDENTIALS);
    expect(refusalOf(answer)).toEqual([401, "Partner.NotAuthenticated"]);
  });

  test("a partner's person on an analyst's route: 403 Partner.InsufficientRole", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    const answer = await read(cookie, "/api/compliance/v1/cases");
    expect(refusalOf(answer)).toEqual([403, "Partner.InsufficientRole"]);
  });
});

describe("a partner that is", () => {
  test("not yet approved: 409 Partner.OnboardingNotApproved, and its people can still sign in", async () => {
    const { partnerId } = await stage.call("auth-token.createPartner", { name: "New Ltd" });
    const cookie = await stage.cookieOfA("Owner", partnerId);
    expect(refusalOf(await read(cookie, CREDENTIALS))).toEqual([409, "Partner.OnboardingNotApproved"]);
    await stage.call("auth-token.approvePartner", { partnerId });
    expect(await statusWith(cookie, CREDENTIALS)).toBe(200);
  });

  test("inactive: 409 Partner.Inactive", async () => {
    const { partnerId } = await stage.partner("Old Ltd");
    const cookie = await stage.cookieOfA("Owner", partnerId);
    await stage.call("auth-token.setPartnerActive", { partnerId, active: false });
    expect(refusalOf(await read(cookie, CREDENTIALS))).toEqual([409, "Partner.Inactive"]);
    expect(await statusWith(cookie)).toBe(200);
  });
});

describe("writes from another site", () => {
  // Every other header: unit/gateway/admit.
  const refused: [string, Record<string, string>][] = [
    ["Sec-Fetch-Site cross-site", { "Sec-Fetch-Site": "cross-site" }],
    [
      "a foreign Origin under same-origin",
      { "Sec-Fetch-Site": "same-origin", Origin: "https://evil.example" },
    ],
  ];

  test.each(refused)(
    "%s: 403 Request.CrossSite for a logout, a change and a login",
    async (_name, headers) => {
      const user = await stage.user(partner.partnerId, "Owner");
      const cookie = await stage.cookie(user);
      const answers = [
        await stage.send("DELETE", SESSION, cookie, undefined, headers),
        await stage.send("POST", CREDENTIALS, cookie, {}, headers),
        await stage.login(user, headers),
      ];
      expect(answers.map(refusalOf)).toEqual(Array(3).fill([403, "Request.CrossSite"]));
      expect(await statusWith(cookie)).toBe(200);
    },
  );

  test("same-origin, none, our own Origin, and no header at all are let in", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const allowed: Record<string, string>[] = [
      { "Sec-Fetch-Site": "same-origin", Origin: stage.issuer },
      { "Sec-Fetch-Site": "none" },
      { Origin: stage.issuer },
      {},
    ];
    for (const headers of allowed) expect((await stage.login(user, headers)).status).toBe(200);
  });

  test("a cross-site read is not a write", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    expect(await statusWith(cookie, SESSION, { "Sec-Fetch-Site": "cross-site" })).toBe(200);
  });

  test("a form, as a foreign page could post one, is refused by its content type", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    const form = { "Content-Type": "text/plain" };
    expect((await stage.send("POST", CREDENTIALS, cookie, { certificate: "x" }, form)).status).toBe(415);
  });
});
