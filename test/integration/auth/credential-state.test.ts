/** A token needs a certificate, a credential and a partner in force. */
import { X509Certificate } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { makePartnerKeys, type PartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { tokenForm } from "../../support/builders/assertions.ts";
import { type StagePartner, startAuthStage } from "../../support/stage/auth-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const DAY_MS = 86_400_000;
const stage = stageOfFile(startAuthStage);

const statusOf = async (partner: StagePartner, keys: PartnerKeys = partner): Promise<number> =>
  (await stage.tokenRequest(tokenForm(stage.assertion(partner, { key: keys.privateKey })))).status;

const reasonOf = async ({ partnerId }: StagePartner): Promise<string> => {
  const record = await stage.database().collection("api_credentials").findOne({ partnerId });
  return record?.recentFailures.at(-1)?.reason;
};

/** As a row would be that somebody wrote past the checks of the registration. */
async function plant({ partnerId }: StagePartner, keys: PartnerKeys): Promise<void> {
  const { raw, subject, validFromDate, validToDate } = new X509Certificate(keys.certificatePem);
  const thumbprint = Buffer.from(await crypto.subtle.digest("SHA-256", raw)).toString("base64url");
  const certificate = {
    thumbprint,
    subject,
    notBefore: validFromDate,
    notAfter: validToDate,
    pem: keys.certificatePem,
  };
  const found = await stage
    .database()
    .collection("api_credentials")
    .updateOne({ partnerId }, { $set: { certificates: [certificate] } });
  expect(found.modifiedCount).toBe(1);
  // Past the two seconds for which a replica remembers a client.
  stage.clock.move(2_100);
}

const CREDENTIALS = "/api/customer/v1/partner-profile/api-credentials";
const profiles = "/api/partner/v1/business-profiles";
const get = (token: string) => stage.request(profiles, { headers: { authorization: `Bearer ${token}` } });
const gatewayFollows = "the gateway to follow";

describe("the certificate", () => {
  const inDays = (days: number) => new Date(stage.clock.now() + days * DAY_MS);

  test("expired: no token", async () => {
    const now = stage.clock.now();
    const keys = await makePartnerKeys({ commonName: "Short", notAfter: new Date(now + 3_600_000) });
    const partner = await stage.partner("Short Ltd", keys);
    expect(await statusOf(partner)).toBe(200);
    stage.clock.move(2 * 3_600_000);
    expect([await statusOf(partner), await reasonOf(partner)]).toEqual([401, "CertificateExpired"]);
  });

  test.each([
    ["not valid yet", "CertificateNotYetValid", () => ({ notBefore: inDays(1), notAfter: inDays(2) })],
    ["with a 1024-bit key", "KeyNotAllowed", () => ({ bits: 1_024 })],
  ])("%s: no token, even when the row exists", async (_, reason, given) => {
    const partner = await stage.partner("Planted Ltd");
    const keys = await makePartnerKeys({ commonName: "Planted", ...given() });
    await plant(partner, keys);
    expect([await statusOf(partner, keys), await reasonOf(partner)]).toEqual([401, reason]);
  });

  test("second one during a rotation: both give tokens, and the first no longer after its removal", async () => {
    const partner = await stage.partner("Rotating Ltd");
    const next = await makePartnerKeys({ commonName: "Rotating next" });
    const { partnerId } = partner;
    await stage.call("auth-token.registerCertificate", { partnerId, certificate: next.certificatePem });
    expect([await statusOf(partner), await statusOf(partner, next)]).toEqual([200, 200]);
    const [ending, staying] = [await stage.token(partner), await stage.token({ ...partner, ...next })];
    expect([(await get(ending)).status, (await get(staying)).status]).toEqual([200, 200]);

    const cookie = await stage.cookieOfA("Owner", partnerId);
    const [{ id, certificates }] = (await stage.send("GET", CREDENTIALS, cookie)).body.value.items;
    const path = `${CREDENTIALS}/${id}/certificates/${certificates[0].thumbprint}`;
    expect((await stage.send("DELETE", path, cookie)).status).toBe(200);
    expect([await statusOf(partner), await statusOf(partner, next)]).toEqual([401, 200]);
    expect(await reasonOf(partner)).toBe("SignatureInvalid");
    await waitFor(async () => (await get(ending)).status === 401, gatewayFollows);
    expect((await get(staying)).status).toBe(200);

    // The same certificate again: its tokens of now are good.
    const certificate = partner.certificatePem;
    await stage.call("auth-token.registerCertificate", { partnerId, certificate });
    const again = await stage.token(partner);
    await waitFor(async () => (await get(again)).status === 200, gatewayFollows);
  });

  test("a certificate of another partner: no token", async () => {
    const [one, other] = [await stage.partner("One Ltd"), await stage.partner("Other Ltd")];
    expect(await statusOf(one, other)).toBe(401);
    expect(await reasonOf(one)).toBe("SignatureInvalid");
  });
});

describe("the scopes of a client", () => {
  const grantOf = async (partner: StagePartner, scope?: string) => {
    const form = tokenForm(stage.assertion(partner), scope ? { scope } : {});
    const { status, body } = await stage.tokenRequest(form);
    return [status, body.scope ?? body.error];
  };

  test("made read-only by an operator: no token that writes, whatever the partner does; and back", async () => {
    const partner = await stage.partner("Reader Ltd");
    const { partnerId } = partner;
    expect(await grantOf(partner)).toEqual([200, "partner.read partner.write"]);
    const view = await stage.call("auth-token.setClientScopes", { partnerId, scopes: ["partner.read"] });
    expect(view.scopes).toEqual(["partner.read"]);
    expect(await grantOf(partner)).toEqual([200, "partner.read"]);
    expect(await grantOf(partner, "partner.read")).toEqual([200, "partner.read"]);
    expect(await grantOf(partner, "partner.write")).toEqual([400, "invalid_scope"]);
    expect(await grantOf(partner, "partner.read partner.write")).toEqual([400, "invalid_scope"]);
    const write = await stage.request(profiles, {
      method: "POST",
      headers: { authorization: `Bearer ${await stage.token(partner)}`, "Content-Type": "application/json" },
      body: "{}",
    });
    expect(write).toMatchObject({ status: 403, body: { error: { code: "Partner.InsufficientScope" } } });

    // A client made anew is the same client.
    await stage.database().collection("api_credentials").deleteOne({ partnerId });
    await stage.call("auth-token.registerCertificate", { partnerId, certificate: partner.certificatePem });
    expect(await grantOf(partner)).toEqual([200, "partner.read"]);

    await stage.call("auth-token.setClientScopes", { partnerId, scopes: ["partner.read", "partner.write"] });
    expect(await grantOf(partner, "partner.write")).toEqual([200, "partner.write"]);
  });
});

describe("the partner", () => {
  test("made inactive: no new tokens at once, its live tokens refused within 5 s, and welcome again when active", async () => {
    const partner = await stage.partner("Sleepy Ltd");
    const { partnerId } = partner;
    const token = await stage.token(partner);
    expect((await get(token)).status).not.toBe(409);

    await stage.call("auth-token.setPartnerActive", { partnerId, active: false });
    expect(await statusOf(partner)).toBe(401);
    expect(await reasonOf(partner)).toBe("PartnerInactive");
    const refused = await waitFor(async () => {
      const answer = await get(token);
      return answer.status === 409 && answer;
    }, gatewayFollows);
    expect(refused.body).toMatchObject({ isSuccess: false, error: { code: "Partner.Inactive" } });

    await stage.call("auth-token.setPartnerActive", { partnerId, active: true });
    expect(await statusOf(partner)).toBe(200);
    await waitFor(async () => (await get(token)).status !== 409, gatewayFollows);
  });

  test("with a revoked credential: no tokens, live ones refused within 5 s; a new credential has the same client id", async () => {
    const partner = await stage.partner("Revoked Ltd");
    const token = await stage.token(partner);
    const cookie = await stage.cookieOfA("Developer", partner.partnerId);
    const [{ id }] = (await stage.send("GET", CREDENTIALS, cookie)).body.value.items;
    const revoked = await stage.send("POST", `${CREDENTIALS}/${id}/revoke`, cookie);
    expect(revoked.body.value).toMatchObject({ status: "Revoked", clientId: partner.clientId });

    expect(await statusOf(partner)).toBe(401);
    expect(await reasonOf(partner)).toBe("CredentialRevoked");
    const refused = await waitFor(async () => {
      const answer = await get(token);
      return answer.status === 401 && answer;
    }, gatewayFollows);
    expect(refused.headers.get("www-authenticate")).toContain('error="invalid_token"');

    const made = await stage.send("POST", CREDENTIALS, cookie, { certificate: partner.certificatePem });
    expect(made.body).toMatchObject({ value: { clientId: partner.clientId, status: "Active" } });
    const fresh = await stage.token(partner);
    expect((await get(fresh)).status).not.toBe(401);
    expect((await get(token)).status).toBe(401);
  });
});
