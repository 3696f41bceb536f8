/**
 * node-oidc-provider doing the same job: client_credentials by private_key_jwt (RS256), EdDSA access tokens as JWT,
 * in-memory adapter. Arguments: port, client id, JWK of the client's public key.
 */
import { generateKeyPairSync } from "node:crypto";
// @ts-expect-error: the package brings no types.
import { Provider } from "oidc-provider";

const [, , port = "0", clientId = "", jwk = "{}"] = process.argv;
const issuer = `http://127.0.0.1:${port}`;
const scope = "partner.read partner.write";
const { privateKey } = generateKeyPairSync("ed25519");

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: clientId,
      grant_types: ["client_credentials"],
      redirect_uris: [],
      response_types: [],
      token_endpoint_auth_method: "private_key_jwt",
      token_endpoint_auth_signing_alg: "RS256",
      id_token_signed_response_alg: "EdDSA",
      scope,
      jwks: { keys: [JSON.parse(jwk)] },
    },
  ],
  scopes: scope.split(" "),
  enabledJWA: { clientAuthSigningAlgValues: ["RS256"] },
  jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "EdDSA", use: "sig" }] },
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => `${issuer}/api`,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({
        scope,
        audience: `${issuer}/api`,
        accessTokenTTL: 300,
        accessTokenFormat: "jwt",
        jwt: { sign: { alg: "EdDSA" } },
      }),
    },
  },
});

provider.listen(Number(port), "127.0.0.1");
