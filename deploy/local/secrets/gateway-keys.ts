/** The local gateway's pair; made once and kept. */
import { createPrivateKey } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { type GatewayKeys, gatewayKeysOf, newGatewayKeys } from "../../lib/gateway-keys.ts";
import { writePrivateFile } from "../../lib/private-file.ts";

export function keepGatewayKeys(file: string): GatewayKeys {
  if (!existsSync(file)) writePrivateFile(file, `${newGatewayKeys().privateKey}\n`);
  const privateKey = readFileSync(file, "utf8").trim();
  return gatewayKeysOf(
    createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" }),
  );
}
