/** The resource side: which tokens open the Partner API, and as whom. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import { createFieldCipher } from "../../../shared/sealing/field-cipher.ts";
import { hmacWith } from "../../support/builders/assertions.ts";
import { refusalOf, startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const PROFILES = "/api/partner/v1/business-profiles";
const FIELD_KEY = { id: "known", key: Buffer.alloc(32, 7) };

let good: string;

const stage = stageOfFile(() =>
  startAuthStage({ PBO_TOKEN_KEYS: `known:${FIELD_KEY.key.toString("base64")}` }),
);
const partner = ofFile(() => stage.partner("Acme Trading Ltd"));
beforeAll(async () => {
  good = await stage.token(partner);
});

const get = (authorization: string, path = PROFILES) => stage.request(path, { headers: { authorization } });
const post = (token: string) => stage.send("POST", PROFILES, "", {}, { authorization: `Bearer ${token}` });

const parts = (token: string): Record<string, unknown>[] =>
  token
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** The service's own key, taken from the database with the field key: what an attacker could at worst do. */
async function ownKey() {
  const record = await stage
    .database()
    .collection<{ _id: string; sealedPrivateKey: string }>("signing_keys")
    .findOne();
  if (!record) throw new Error("no key");
  const place = { collection: "signing_keys", recordId: record._id, field: "sealedPrivateKey" };
  return createPrivateKey(createFieldCipher([FIELD_KEY]).open(record.sealedPrivateKey, place));
}

const publicPem = async (): Promise<string> =>
  createPublicKey(await ownKey())
    .export({ type: "spki", format: "pem" })
    .toString();

async function forge(header: object, claims: object, signWith?: (signed: Buffer) => Buffer): Promise<string> {
  const [goodHeader, goodClaims] = parts(good);
  const signed = Buffer.from(
    `${encode({ ...goodHeader, ...header })}.${encode({ ...goodClaims, ...claims })}`,
  );
  const signature = signWith ? signWith(signed) : sign(null, signed, await ownKey());
  return `${signed}.${signature.toString("base64url")}`;
}

describe("a good token", () => {
  test("opens the API as its partner and nobody else", async () => {
    const other = await stage.partner("Globex GmbH");
    for (const each of [partner, other]) {
      const { status, body } = await get(`Bearer ${await stage.token(each)}`);
      const { partnerId, clientId } = each;
      expect(status).toBe(200);
      expect(body.value.meta.caller).toMatchObject({ kind: "partner", partnerId, clientId });
    }
  });

  test("a second time, and with the scheme in lower case", async () => {
    expect([(await get(`Bearer ${good}`)).status, (await get(`bearer ${good}`)).status]).toEqual([200, 200]);
  });

  test("until it expires after 300 s", async () => {
    const token = await stage.token(partner);
    stage.clock.move(298_000);
    expect((await get(`Bearer ${token}`)).status).toBe(200);
    stage.clock.move(3_000);
    const answer = await get(`Bearer ${token}`);
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
    good = await stage.token(partner);
  });
});

describe("scopes", () => {
  test("partner.read alone: reads, and 403 on writes with the missing scope named", async () => {
    const token = await stage.token(partner, "partner.read");
    expect((await get(`Bearer ${token}`)).status).toBe(200);
    const refused = await post(token);
    expect(refusalOf(refused)).toEqual([403, "Partner.InsufficientScope"]);
    expect(refused.headers.get("ratelimit-limit")).toMatch(/^\d+$/);
    expect(refused.headers.get("www-authenticate")).toBe(
      'Bearer realm="partner-api", error="insufficient_scope", scope="partner.write"',
    );
  });

  test("partner.write alone: writes, and 403 on reads, since write does not imply read", async () => {
    const token = await stage.token(partner, "partner.write");
    expect((await post(token)).status).toBe(200);
    expect((await get(`Bearer ${token}`)).status).toBe(403);
  });
});

describe("what is no good token", () => {
  const NO_CODE = 'Bearer realm="partner-api"';
  const BAD_TOKEN = `${NO_CODE}, error="invalid_token"`;
  const now = () => Math.floor(stage.clock.now() / 1_000);
  const stranger = generateKeyPairSync("ed25519").privateKey;
  // Every other header and claim: unit/gateway/bearer.rules.
  const forged: [string, () => Promise<string>][] = [
    ["alg none", () => forge({ alg: "none" }, {}, () => Buffer.from("x"))],
    ["HS256 with the public key", async () => forge({ alg: "HS256" }, {}, hmacWith(await publicPem()))],
    ["typ JWT", () => forge({ typ: "JWT" }, {})],
    ["an unknown kid", () => forge({ kid: "other" }, {})],
    ["a stranger's key under our kid", () => forge({}, {}, (signed) => sign(null, signed, stranger))],
    [
      "a jwk header with the stranger's key",
      () => forge({ jwk: {} }, {}, (signed) => sign(null, signed, stranger)),
    ],
    ["another audience", () => forge({}, { aud: "https://elsewhere.example/api" })],
    ["an audience array", () => forge({}, { aud: [`${stage.issuer}/api`] })],
    ["exp in the past", () => forge({}, { exp: now() - 1 })],
    ["iat in the future", () => forge({}, { iat: now() + 600, exp: now() + 900 })],
    ["a changed claim under the old signature", async () => tampered()],
    ["the client assertion itself", async () => stage.assertion(partner)],
    ["text", async () => "x"],
    ["too long a text", async () => "x".repeat(5_000)],
  ];

  test.each(forged)("%s: 401 Partner.NotAuthenticated", async (_name, token) => {
    const answer = await get(`Bearer ${await token()}`);
    expect(refusalOf(answer)).toEqual([401, "Partner.NotAuthenticated"]);
    expect(answer.headers.get("www-authenticate")).toBe(BAD_TOKEN);
  });

  test("the forgery itself works when nothing is changed, so the table above tests what it says", async () => {
    expect((await get(`Bearer ${await forge({}, {})}`)).status).toBe(200);
  });

  test.each([
    ["no header", undefined, NO_CODE],
    ["Basic", "Basic YTpi", NO_CODE],
    ["DPoP", "DPoP abc", NO_CODE],
    ["no token", "Bearer ", BAD_TOKEN],
    ["two tokens", "Bearer a b", BAD_TOKEN],
    ["the token without a scheme", "token", NO_CODE],
  ])(
    "%s: 401; a scheme other than Bearer is challenged without an error code",
    async (_name, authorization, challenge) => {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
      const answer = await stage.request(PROFILES, { headers });
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe(challenge);
    },
  );

  test("in the query or a form it is not read", async () => {
    expect((await stage.request(`${PROFILES}?access_token=${good}`)).status).toBe(401);
  });

  function tampered(): string {
    const [header, , signature] = good.split(".");
    return `${header}.${encode({ ...parts(good)[1], scope: "partner.write", partner_id: "other" })}.${signature}`;
  }
});

describe("two worlds", () => {
  const dashboard = "/api/customer/v1/partner-profile/api-credentials";

  test("a session cookie does not open the Partner API", async () => {
    const cookie = await stage.cookieOfA("Owner", partner.partnerId);
    expect((await stage.send("GET", PROFILES, cookie)).status).toBe(401);
    expect((await stage.send("GET", dashboard, cookie)).status).toBe(200);
  });

  test("a bearer token does not open dashboard or analyst routes", async () => {
    for (const path of [dashboard, "/api/customer/v1/session", "/api/compliance/v1/cases"]) {
      const answer = await get(`Bearer ${good}`, path);
      expect([path, ...refusalOf(answer)]).toEqual([path, 401, "Partner.NotAuthenticated"]);
    }
  });
});
