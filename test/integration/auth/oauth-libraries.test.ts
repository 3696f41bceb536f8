/** A partner who uses a library as it comes: our metadata is all it needs, and the assertions it makes by default are taken. */
import { randomUUID, webcrypto } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import * as client from "openid-client";
import { tokenForm } from "../../support/builders/assertions.ts";
import { startAuthStage } from "../../support/stage/auth-stage.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";

const stage = stageOfFile(startAuthStage);
const partner = ofFile(() => stage.partner());

test("openid-client finds the endpoints, gets a token by private_key_jwt and uses it", async () => {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const der = partner.privateKey.export({ type: "pkcs8", format: "der" });
  const key = await webcrypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
  const config = await client.discovery(
    new URL(stage.issuer),
    partner.clientId,
    undefined,
    client.PrivateKeyJwt(key),
    // The test server speaks http; a partner leaves this line out.
    { algorithm: "oauth2", execute: [client.allowInsecureRequests] },
  );
  const tokens = await client.clientCredentialsGrant(config, { scope: "partner.read" });
  expect(tokens).toMatchObject({ expires_in: 300, scope: "partner.read" });
  expect(tokens.token_type.toLowerCase()).toBe("bearer");

  const url = new URL(`${stage.issuer}/api/partner/v1/business-profiles`);
  const answer = await client.fetchProtectedResource(config, tokens.access_token, url, "GET");
  expect(answer.status).toBe(200);
});

describe("an assertion as a library makes it by default", () => {
  const HOUR = 3_600;

  test.each<[string, { header?: object; lifetime: number; jti: string }]>([
    // private_key_jwt_sign: an hour, 36 letters and digits.
    ["authlib", { lifetime: HOUR, jti: "IvlBpPl74NsX07S4I7qPmZZvDmhRd54HJEoM" }],
    ["PyJWT, told to live for an hour", { lifetime: HOUR, jti: randomUUID() }],
    ["Spring Security", { lifetime: 60, jti: randomUUID() }],
    [
      "MSAL, with a SHA-1 thumbprint",
      { header: { x5t: "hOBcHZi846VCHTJyWAAyk" }, lifetime: 600, jti: randomUUID() },
    ],
  ])("%s: a token", async (_library, { header = {}, lifetime, jti }) => {
    const iat = Math.floor(stage.clock.now() / 1_000);
    const assertion = stage.assertion(partner, {
      audience: `${stage.issuer}/oauth2/token`,
      header: { alg: "RS256", typ: "JWT", ...header },
      claims: { iat, exp: iat + lifetime, jti },
    });
    const { status, body } = await stage.tokenRequest(tokenForm(assertion));
    expect({ status, scope: body.scope }).toEqual({ status: 200, scope: "partner.read partner.write" });
    expect((await stage.tokenRequest(tokenForm(assertion))).status).toBe(401);
  });
});

test("the metadata says what RFC 8414 asks for", async () => {
  const { status, body, headers } = await stage.request("/.well-known/oauth-authorization-server");
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("public, max-age=60");
  expect(body).toEqual({
    issuer: stage.issuer,
    token_endpoint: `${stage.issuer}/oauth2/token`,
    jwks_uri: `${stage.issuer}/oauth2/jwks`,
    grant_types_supported: ["client_credentials"],
    response_types_supported: [],
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["partner.read", "partner.write"],
    service_documentation: `${stage.issuer}/docs`,
  });
});
