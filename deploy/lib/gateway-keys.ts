/** The key pair with which a gateway signs the identity of callers, in the form of its settings. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writePrivateFile } from "./files.ts";

export type GatewayKeys = { privateKey: string; publicKey: string };

export const newGatewayKeys = (): GatewayKeys => gatewayKeysOf(generateKeyPairSync("ed25519").privateKey);

/** Created once and kept in a file. */
export function keepGatewayKeys(file: string): GatewayKeys {
  if (!existsSync(file)) writePrivateFile(file, `${newGatewayKeys().privateKey}\n`);
  const key = Buffer.from(readFileSync(file, "utf8").trim(), "base64");
  return gatewayKeysOf(createPrivateKey({ key, format: "der", type: "pkcs8" }));
}

const gatewayKeysOf = (key: KeyObject): GatewayKeys => ({
  privateKey: key.export({ format: "der", type: "pkcs8" }).toString("base64"),
  publicKey: createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64"),
});
