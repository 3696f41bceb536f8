/** Signing in, staying in, and getting out. */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type AuthStage, type StagePartner, startAuthStage } from "../../support/stage/auth-stage.ts";

const SESSION = "/api/customer/v1/session";
const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let stage: AuthStage;
let partner: StagePartner;
beforeAll(async () => {
  stage = await startAuthStage();
  partner = await stage.partner();
});
afterAll(() => stage?.stop());

const statusWith = async (cookie: string, path = SESSION): Promise<number> =>
  (await stage.request(path, { headers: { cookie } })).status;

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
      expect((await production.request(SESSION, { headers: { cookie: String(pair) } })).status).toBe(200);
    } finally {
      await production.stop();
    }
  });

  test("is stored nowhere on the server, only its hash", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const value = cookie.split("=")[1] ?? "";
    const dump = JSON.stringify(await stage.database().collection("sessions").find().toArray());
    expect(dump).not.toContain(value);
  });
});

describe("GET session", () => {
  test("says who is signed in, of which partner, and until when", async () => {
    const user = await stage.user(partner.partnerId, "Viewer");
    const answer = await stage.request(SESSION, { headers: { cookie: await stage.cookie(user) } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      isSuccess: true,
      error: null,
      value: {
        user: { email: user.email, role: "Viewer", isLead: false },
        partner: { partnerId: partner.partnerId, name: partner.name },
        expiresAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
    });
  });

  test("the session of an analyst has no partner", async () => {
    const cookie = await stage.cookie(await stage.analyst());
    const { body } = await stage.request(SESSION, { headers: { cookie } });
    expect(body.value).toMatchObject({ user: { role: "Analyst" }, partner: null });
  });

  test.each([
    ["no cookie", ""],
    ["a value that was never given out", `pbo_session=${"A".repeat(43)}`],
    ["an operator in the value", "pbo_session=[$ne]=1"],
  ])("%s: 401 Partner.NotAuthenticated", async (_name, cookie) => {
    const answer = await stage.request(SESSION, { headers: { cookie } });
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({
      value: null,
      isSuccess: false,
      error: { code: "Partner.NotAuthenticated" },
    });
    expect(answer.headers.get("www-authenticate")).toMatch(/^Cookie /);
  });
});

test.each([
  ["before", (planted: string, own: string) => `${planted}; ${own}`],
  ["behind", (planted: string, own: string) => `${own}; ${planted}`],
])("a second cookie %s the one of a session: neither is believed", async (_name, both) => {
  const own = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
  const other = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
  const status = async (cookie: string) => (await stage.request(SESSION, { headers: { cookie } })).status;
  expect([await status(own), await status(other)]).toEqual([200, 200]);
  for (const planted of [`pbo_session=${"A".repeat(43)}`, other])
    expect(await status(both(planted, own))).toBe(401);
});

describe("a session ends", () => {
  test("at the logout, on the server", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const answer = await stage.request(SESSION, { method: "DELETE", headers: { cookie } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await statusWith(cookie)).toBe(401);
    expect((await stage.request(SESSION, { method: "DELETE", headers: { cookie } })).status).toBe(401);
  });

  test("after 30 minutes without a visit, and not before", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
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
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const visit = async (headers: Record<string, string>): Promise<number> =>
      (
        await stage.request("/api/customer/v1/partner-profile/api-credentials", {
          headers: { cookie, ...headers },
        })
      ).status;
    stage.clock.move(29 * MINUTE);
    expect(await visit({ "Svc-Background": "true" })).toBe(200);
    stage.clock.move(2 * MINUTE);
    expect(await visit({ "Svc-Background": "true" })).toBe(401);
    expect(await visit({})).toBe(401);
  });

  test("at the moment that is shown, which reads that a page makes by itself do not move", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const read = async (headers: Record<string, string> = {}) => {
      const { body } = await stage.request(SESSION, { headers: { cookie, ...headers } });
      return (body.value as { expiresAt: string }).expiresAt;
    };
    const background = { "Svc-Background": "true" };
    const stored = async () =>
      (await stage.database().collection("sessions").find().sort({ createdAt: -1 }).limit(1).toArray())[0]
        ?.lastSeenAt;
    const [first, seen] = [await read(), await stored()];
    stage.clock.move(20 * MINUTE);
    expect([await read(background), await read(background)]).toEqual([first, first]);
    expect(await stored()).toEqual(seen);
    const moved = await read();
    expect(Date.parse(moved) - Date.parse(first)).toBeGreaterThanOrEqual(20 * MINUTE);
    expect(await read(background)).toBe(moved);
  });

  test("12 hours after the login, however busy it is", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
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
    const first = await stage.login(user, { cookie: offered });
    const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(cookie).not.toBe(offered);
    expect(await statusWith(offered)).toBe(401);

    const second = await stage.login(user, { cookie });
    const renewed = second.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(renewed).not.toBe(cookie);
    expect([await statusWith(cookie), await statusWith(renewed)]).toEqual([401, 200]);
  });
});

describe("roles", () => {
  const create = (cookie: string) =>
    stage.request(CREDENTIALS, {
      method: "POST",
      headers: { cookie, "Content-Type": "application/json" },
      body: JSON.stringify({ certificate: "x" }),
    });

  test.each([
    ["Owner", 200, 400],
    ["Developer", 200, 400],
    ["Viewer", 200, 403],
  ])("%s: reads %i, changes %i", async (role, read, change) => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, role));
    const changed = await create(cookie);
    expect([await statusWith(cookie, CREDENTIALS), changed.status]).toEqual([read, change]);
    if (change === 403) expect(changed.body).toMatchObject({ error: { code: "Partner.InsufficientRole" } });
  });

  test("Analyst: 401 Partner.NotAuthenticated on partner routes", async () => {
    const cookie = await stage.cookie(await stage.analyst());
    const answer = await stage.request(CREDENTIALS, { headers: { cookie } });
    expect([answer.status, answer.body.error]).toMatchObject([401, { code: "Partner.NotAuthenticated" }]);
  });

  test("a partner's person on an analyst's route: 403 Partner.InsufficientRole", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const answer = await stage.request("/api/compliance/v1/cases", { headers: { cookie } });
    expect([answer.status, answer.body.error]).toMatchObject([403, { code: "Partner.InsufficientRole" }]);
  });
});

describe("a partner that is", () => {
  test("not yet approved: 409 Partner.OnboardingNotApproved, and its people can still sign in", async () => {
    const { partnerId } = await stage.call("auth-token.createPartner", {
      name: "New Ltd",
    });
    const cookie = await stage.cookie(await stage.user(partnerId, "Owner"));
    const answer = await stage.request(CREDENTIALS, { headers: { cookie } });
    expect([answer.status, answer.body.error]).toMatchObject([
      409,
      { code: "Partner.OnboardingNotApproved" },
    ]);
    await stage.call("auth-token.approvePartner", { partnerId });
    expect(await statusWith(cookie, CREDENTIALS)).toBe(200);
  });

  test("inactive: 409 Partner.Inactive", async () => {
    const { partnerId } = await stage.call("auth-token.createPartner", {
      name: "Old Ltd",
      approved: true,
    });
    const cookie = await stage.cookie(await stage.user(partnerId, "Owner"));
    await stage.call("auth-token.setPartnerActive", { partnerId, active: false });
    const answer = await stage.request(CREDENTIALS, { headers: { cookie } });
    expect([answer.status, answer.body.error]).toMatchObject([409, { code: "Partner.Inactive" }]);
    expect(await statusWith(cookie)).toBe(200);
  });
});

describe("writes from another site", () => {
  const origin = () => stage.issuer;
  const refused: [string, Record<string, string>][] = [
    ["Sec-Fetch-Site cross-site", { "Sec-Fetch-Site": "cross-site" }],
    ["Sec-Fetch-Site same-site", { "Sec-Fetch-Site": "same-site" }],
    ["an unknown Sec-Fetch-Site", { "Sec-Fetch-Site": "elsewhere" }],
    ["a foreign Origin", { Origin: "https://evil.example" }],
    ["Origin null", { Origin: "null" }],
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
      const logout = await stage.request(SESSION, { method: "DELETE", headers: { cookie, ...headers } });
      const change = await stage.request(CREDENTIALS, {
        method: "POST",
        headers: { cookie, "Content-Type": "application/json", ...headers },
        body: "{}",
      });
      const login = await stage.login(user, headers);
      expect([logout.status, change.status, login.status]).toEqual([403, 403, 403]);
      expect(change.body).toMatchObject({ error: { code: "Request.CrossSite" } });
      expect(await statusWith(cookie)).toBe(200);
    },
  );

  test("same-origin, none, our own Origin, and no header at all are let in", async () => {
    const user = await stage.user(partner.partnerId, "Owner");
    const allowed: Record<string, string>[] = [
      { "Sec-Fetch-Site": "same-origin", Origin: origin() },
      { "Sec-Fetch-Site": "none" },
      { Origin: origin() },
      {},
    ];
    for (const headers of allowed) expect((await stage.login(user, headers)).status).toBe(200);
  });

  test("a cross-site read is not a write", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const answer = await stage.request(SESSION, { headers: { cookie, "Sec-Fetch-Site": "cross-site" } });
    expect(answer.status).toBe(200);
  });

  test("a form, as a foreign page could post one, is refused by its content type", async () => {
    const cookie = await stage.cookie(await stage.user(partner.partnerId, "Owner"));
    const answer = await stage.request(CREDENTIALS, {
      method: "POST",
      headers: { cookie, "Content-Type": "text/plain" },
      body: '{"certificate":"x"}',
    });
    expect(answer.status).toBe(415);
  });
});
