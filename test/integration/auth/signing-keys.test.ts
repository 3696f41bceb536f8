/** The keys of access tokens: one for all replicas, replaced with overlap, unreadable at rest. */
import { expect, test } from "@jest/globals";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const PROFILES = "/api/partner/v1/business-profiles";
const DAY_MS = 86_400_000;

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());

const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
const published = async (): Promise<string[]> =>
  ((await stage.request("/oauth2/jwks")).body.keys as { kid: string }[]).map(({ kid }) => kid);
/** The gateway shares one answer for a second. */
const untilPublished = (...kids: string[]) =>
  waitFor(async () => JSON.stringify(await published()) === JSON.stringify(kids), {
    what: `the key set to be ${kids.join(", ")}`,
  });
const statusOf = async (token: string): Promise<number> =>
  (await stage.request(PROFILES, { headers: { authorization: `Bearer ${token}` } })).status;

test("the published key verifies a token with a library of somebody else", async () => {
  const keys = createRemoteJWKSet(new URL(`${stage.issuer}/oauth2/jwks`));
  const options = {
    issuer: stage.issuer,
    audience: `${stage.issuer}/api`,
    typ: "at+jwt",
    algorithms: ["EdDSA"],
  };
  const { payload } = await jwtVerify(await stage.token(partner), keys, options);
  expect(payload.partner_id).toBe(partner.partnerId);
});

test("no private part is published or stored in the clear", async () => {
  const { text } = await stage.request("/oauth2/jwks");
  expect(text).not.toContain('"d"');
  const stored = JSON.stringify(await stage.database().collection("signing_keys").find().toArray());
  expect(stored).not.toContain("PRIVATE KEY");
  expect(stored).not.toContain(Buffer.from("PRIVATE KEY").toString("base64").slice(0, 12));
});

test("replicas that start together agree on one key", async () => {
  const [one, two, three] = await Promise.all([1, 2, 3].map(() => stage.startAuthToken()));
  const sets = await Promise.all([one, two, three].map((broker) => broker?.call("auth-token.trustState")));
  expect(new Set(sets.map((set) => JSON.stringify((set as { keys: unknown }).keys))).size).toBe(1);
  expect(await stage.database().collection("signing_keys").countDocuments()).toBe(1);
  for (const broker of [one, two, three]) if (broker) await stage.stopBroker(broker);
});

test("a rotation: published first, signs later, the old key goes after its last token", async () => {
  const before = await stage.token(partner);
  const { kid: next } = await stage.call("auth-token.rotateSigningKey", {});
  await untilPublished(next, kidOf(before));
  expect(kidOf(await stage.token(partner))).toBe(kidOf(before));

  stage.clock.move(100_000);
  const after = await stage.token(partner);
  expect(kidOf(after)).toBe(next);
  expect([await statusOf(before), await statusOf(after)]).toEqual([200, 200]);

  stage.clock.move(400_000);
  await untilPublished(next);
  expect(await statusOf(await stage.token(partner))).toBe(200);
});

test("a rotation that is immediate: the new key signs at once and old tokens are refused within 5 s", async () => {
  const leaked = await stage.token(partner);
  const { kid } = await stage.call("auth-token.rotateSigningKey", { immediately: true });
  const fresh = await stage.token(partner);
  expect(kidOf(fresh)).toBe(kid);
  await untilPublished(kid);
  expect(await statusOf(fresh)).toBe(200);
  await waitFor(async () => (await statusOf(leaked)) === 401, "the gateway to forget the old key");
});

test("a key that is 30 days old is replaced without anybody asking", async () => {
  const [before] = await published();
  stage.clock.move(31 * DAY_MS);
  const replica = await stage.startAuthToken();
  // The other replica follows within two seconds.
  const keys = await waitFor(async () => {
    const found = await published();
    return found.length === 2 && found;
  }, "the next key to be published");
  expect(keys).toContain(before);
  await stage.stopBroker(replica);
});
