/**
 * node-oidc-provider doing the same job: client_credentials by private_key_jwt (RS256), EdDSA access tokens as JWT,
 * its example of an adapter for Redis. Arguments: port, client id, JWK of the client's public key, port of Redis.
 */
import { generateKeyPairSync } from "node:crypto";
import { Redis } from "ioredis";
// @ts-expect-error: the package brings no types.
import { Provider } from "oidc-provider";

const [, , port = "0", clientId = "", jwk = "{}", redisPort = "0"] = process.argv;
const issuer = `http://127.0.0.1:${port}`;
const scope = "partner.read partner.write";
const { privateKey } = generateKeyPairSync("ed25519");

/** As in oidc-provider's example/adapters/redis.js, for what this grant stores. */
const redis = new Redis(Number(redisPort), "127.0.0.1");
const adapter = (model: string) => ({
  async upsert(id: string, payload: object, expiresIn: number): Promise<void> {
    const key = `${model}:${id}`;
    await redis.multi().set(key, JSON.stringify(payload)).expire(key, expiresIn).exec();
  },
  async find(id: string): Promise<object | undefined> {
    const data = await redis.get(`${model}:${id}`);
    return data === null ? undefined : JSON.parse(data);
  },
});

const provider = new Provider(issuer, {
  adapter,
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
