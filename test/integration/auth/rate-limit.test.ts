/** Budgets per minute, shared by gateways, kept over restarts, and not fooled by a header. */
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { tokenForm } from "../../support/builders/assertions.ts";
import { several } from "../../support/builders/records.ts";
import { buildPages } from "../../support/built-pages.ts";
import {
  type Answer,
  type AuthStage,
  cookieOf,
  refusalOf,
  type StagePartner,
  startAuthStage,
} from "../../support/stage/auth-stage.ts";

const PROFILES = "/api/partner/v1/business-profiles";
const WINDOW_MS = 60_000;

let stage: AuthStage;
let partner: StagePartner;

/** A stage for all tests of a block, each early in a window of its own. */
function onStage(settings: Record<string, string>): void {
  beforeAll(async () => {
    stage = await startAuthStage(settings);
    partner = await stage.partner();
  });
  beforeEach(() => nextWindow());
  afterAll(() => stage.stop());
}

/** Early in a window, so that a test does not run into the next one. */
function nextWindow(): void {
  stage.clock.move(WINDOW_MS - (stage.clock.now() % WINDOW_MS) + 500);
}

const read = (token: string, url?: string, headers: Record<string, string> = {}): Promise<Answer> =>
  stage.request(PROFILES, { headers: { authorization: `Bearer ${token}`, ...headers } }, url);

async function many(count: number, send: (turn: number) => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) statuses.push((await send(i)).status);
  return statuses;
}
const limitHeaders = ({ headers }: Answer) =>
  ["limit", "remaining", "reset"].map((name) => Number(headers.get(`ratelimit-${name}`)));

describe("reads of one client", () => {
  onStage({ PBO_LIMIT_READS: "40" });

  test("exactly the limit, then 429 with Retry-After, then again in the next minute", async () => {
    const token = await stage.token(partner);
    const answers: Answer[] = [];
    for (let i = 0; i < 41; i += 1) answers.push(await read(token));
    expect(answers.slice(0, 40).map(({ status }) => status)).toEqual(Array(40).fill(200));
    const remainders = answers.map((answer) => limitHeaders(answer)[1]);
    expect(remainders).toEqual([...several(40, (index) => 39 - index), 0]);
    const refused = answers[40] as Answer;
    expect(refusalOf(refused)).toEqual([429, "Request.RateLimited"]);
    const [limit, remaining, reset] = limitHeaders(refused);
    expect([limit, remaining]).toEqual([40, 0]);
    expect(Number(refused.headers.get("retry-after"))).toBe(reset);
    expect(reset).toBeGreaterThan(0);
    expect(reset).toBeLessThanOrEqual(60);

    nextWindow();
    const fresh = await stage.token(partner);
    expect((await read(fresh)).status).toBe(200);
  });

  test("60 at once: 40 answered, 20 refused", async () => {
    const token = await stage.token(partner);
    const answers = await Promise.all(several(60, () => read(token)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(40).fill(200), ...Array(20).fill(429)]);
  });

  test("another client has a budget of its own, and writes are counted apart", async () => {
    const token = await stage.token(partner);
    await many(41, () => read(token));
    const other = await stage.token(await stage.partner("Globex GmbH"));
    expect((await read(other)).status).toBe(200);
    const headers = { authorization: `Bearer ${token}` };
    expect((await stage.send("POST", PROFILES, "", {}, headers)).status).toBe(200);
  });

  test("two gateways share it: together never more than the limit, and all of it can be used", async () => {
    const second = await stage.startGateway();
    const token = await stage.token(partner);
    const urls = [stage.gateway.url, second.url];
    const statuses = await many(60, (turn) => read(token, urls[turn % 2]));
    expect(statuses.filter((status) => status === 200)).toHaveLength(40);
  });

  test("a restarted gateway goes on counting where it was, and gives back what it had not used", async () => {
    const token = await stage.token(partner);
    const first = await stage.startGateway();
    expect(await many(25, () => read(token, first.url))).toEqual(Array(25).fill(200));
    await stage.stopBroker(first.broker);
    const next = await stage.startGateway();
    const statuses = await many(20, () => read(token, next.url));
    expect(statuses.filter((status) => status === 200)).toHaveLength(15);
  });

  /** Last in its block: the token service stays away. */
  test("while the token service is away the gateway counts for itself", async () => {
    const token = await stage.token(partner);
    expect((await read(token)).status).toBe(200);
    await stage.stopBroker(stage.authToken);
    const statuses = await many(50, () => read(token));
    expect(statuses.filter((status) => status === 200)).toHaveLength(39);
    expect(statuses.at(-1)).toBe(429);
  });
});

const deniedLines = () => stage.log.filter((line) => line.includes("access.denied")).length;
const anonymous = (headers: Record<string, string> = {}): Promise<Answer> =>
  stage.request(PROFILES, { headers });

describe("an address", () => {
  onStage({
    PBO_LIMIT_FAILURES_PER_ADDRESS: "5",
    PBO_LIMIT_TOKENS_PER_ADDRESS: "4",
    PBO_LIMIT_LOGINS_PER_ADDRESS: "3",
    PBO_LIMIT_PAGES_PER_ADDRESS: "2",
  });

  test("asks for pages within its own budget; health is not counted", async () => {
    await buildPages();
    const pages = ["/api/openapi.json", "/docs/nothing", "/api/openapi-dashboard.json"];
    const answers = [];
    for (const path of pages) answers.push(await stage.request(path));
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 429]);
    expect(answers.map(({ headers }) => headers.get("ratelimit-remaining"))).toEqual(["1", "0", "0"]);
    expect(Number(answers[2]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await many(3, () => stage.request("/healthz"))).toEqual([200, 200, 200]);
  });

  test("with too many requests that nobody is known for: 429; a good token from there still works", async () => {
    const token = await stage.token(partner);
    expect(await many(6, () => anonymous())).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await read(token)).status).toBe(200);
  });

  test("an address that has spent its failures: refused without a question or a log line, unless it may be a good caller", async () => {
    const session = (cookie: string) => stage.send("GET", "/api/customer/v1/session", cookie);
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    expect((await session(cookie)).status).toBe(200);
    await many(6, () => anonymous());
    const asked = jest.spyOn(stage.gateway.broker, "call");
    const linesBefore = deniedLines();
    const unknownKey = `${Buffer.from('{"alg":"EdDSA","typ":"at+jwt","kid":"x"}').toString("base64url")}.e30.AA`;
    try {
      expect(await many(3, () => session(`pbo_session=${"x".repeat(43)}`))).toEqual([429, 429, 429]);
      expect((await read(unknownKey)).status).toBe(429);
      expect(asked.mock.calls.map(([action]) => action)).not.toContain("auth-token.checkSession");
      expect(deniedLines()).toBe(linesBefore);
      expect((await session(cookie)).status).toBe(200);
    } finally {
      asked.mockRestore();
    }
  });

  test("is the socket's whatever X-Forwarded-For says, unless a proxy is trusted", async () => {
    const spoofed = (turn: number) => anonymous({ "X-Forwarded-For": `198.51.100.${turn}` });
    expect(await many(7, spoofed)).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  test("asks for tokens within its own budget, good and bad ones together", async () => {
    const answers = [];
    for (let i = 0; i < 5; i += 1) answers.push(await stage.tokenRequest(tokenForm("a.b.c")));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 429]);
    expect(answers[4]?.body).toEqual({
      error: "temporarily_unavailable",
      error_description: expect.any(String),
    });
  });

  test("tries to sign in within its own budget", async () => {
    const login = (turn: number) => stage.login({ email: `a${turn}@b.example`, password: "wrong password" });
    expect(await many(4, login)).toEqual([401, 401, 401, 429]);
  });

  test("an address that has spent its sign-ins: refused with the headers of the budget, before a session is read", async () => {
    const person = await stage.user(partner.partnerId, "Owner");
    const first = await stage.login(person);
    expect(limitHeaders(first).slice(0, 2)).toEqual([3, 2]);
    const cookie = cookieOf(first);
    const asked = jest.spyOn(stage.gateway.broker, "call");
    const readSessions = () =>
      asked.mock.calls.filter(([action]) => action === "auth-token.checkSession").length;
    try {
      const again = () => stage.login(person, { Cookie: cookie });
      expect(await many(2, again)).toEqual([200, 200]);
      expect(readSessions()).toBe(2);
      const refused = await again();
      expect([refused.status, limitHeaders(refused).slice(0, 2)]).toEqual([429, [3, 0]]);
      expect(readSessions()).toBe(2);
    } finally {
      asked.mockRestore();
    }
  });
});

describe("an address behind a trusted proxy", () => {
  onStage({ PBO_LIMIT_FAILURES_PER_ADDRESS: "5", PBO_TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" });

  test("is the one that the proxy saw, not what the caller wrote before it", async () => {
    const viaProxy = (turn: number) =>
      anonymous({ "X-Forwarded-For": `192.0.2.${turn}, 198.51.100.7, 10.1.2.3` });
    expect(await many(6, viaProxy)).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await anonymous({ "X-Forwarded-For": "198.51.100.8" })).status).toBe(401);
  });
});

describe("tokens of one client", () => {
  onStage({ PBO_LIMIT_TOKENS: "30" });

  test("30 a minute, counted only for those who prove who they are", async () => {
    const stranger = await stage.partner("Stranger Ltd");
    const forged = () =>
      stage.tokenRequest(tokenForm(stage.assertion(partner, { key: stranger.privateKey })));
    expect(new Set(await many(35, forged))).toEqual(new Set([401]));
    const good = () => stage.tokenRequest(tokenForm(stage.assertion(partner)));
    const answers: Answer[] = [];
    for (let i = 0; i < 31; i += 1) answers.push(await good());
    expect(answers.slice(0, 30).every(({ status }) => status === 200)).toBe(true);
    expect(answers.map((answer) => limitHeaders(answer)[0])).toEqual(Array(31).fill(30));
    const refused = answers[30] as Answer;
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ error: "temporarily_unavailable", error_description: expect.any(String) });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});
