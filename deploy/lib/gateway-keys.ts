/** The pair with which a gateway signs who is calling, as its settings take it. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";

export type GatewayKeys = { privateKey: string; publicKey: string };

export const newGatewayKeys = (): GatewayKeys => gatewayKeysOf(generateKeyPairSync("ed25519").privateKey);

export const gatewayKeysOf = (key: KeyObject): GatewayKeys => ({
  privateKey: key.export({ format: "der", type: "pkcs8" }).toString("base64"),
  publicKey: createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64"),
});
