/** The pair with which the local gateway signs who is calling; made once and kept. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writePrivateFile } from "../../lib/private-file.ts";

export type GatewayKeys = { privateKey: string; publicKey: string };

export function keepGatewayKeys(file: string): GatewayKeys {
  if (!existsSync(file)) writePrivateFile(file, `${newGatewayKeys().privateKey}\n`);
  const privateKey = readFileSync(file, "utf8").trim();
  return asSettings(
    createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" }),
  );
}

export const newGatewayKeys = (): GatewayKeys => asSettings(generateKeyPairSync("ed25519").privateKey);

const asSettings = (key: KeyObject): GatewayKeys => ({
  privateKey: key.export({ format: "der", type: "pkcs8" }).toString("base64"),
  publicKey: createPublicKey(key).export({ format: "der", type: "spki" }).toString("base64"),
});
