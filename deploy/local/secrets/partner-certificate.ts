/** Generates a key and a self-signed certificate, as a partner would with openssl. */
import "reflect-metadata";
import { KeyObject, randomBytes, webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

export type PartnerKeys = { privateKey: KeyObject; privateKeyPem: string; certificatePem: string };

type Wanted = { commonName: string; bits?: number; notBefore?: Date; notAfter?: Date };

const DAY_MS = 86_400_000;
const VALID_DAYS = 3_650;
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", publicExponent: new Uint8Array([1, 0, 1]) };

export async function makePartnerKeys({
  commonName,
  bits: modulusLength = 2_048,
  notBefore = new Date(Date.now() - DAY_MS),
  notAfter = new Date(Date.now() + VALID_DAYS * DAY_MS),
}: Wanted): Promise<PartnerKeys> {
  const keys = await webcrypto.subtle.generateKey({ ...ALGORITHM, modulusLength }, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `00${randomBytes(15).toString("hex")}`,
    name: [{ CN: [commonName] }],
    notBefore,
    notAfter,
    signingAlgorithm: ALGORITHM,
    keys,
  });
  const privateKey = KeyObject.from(keys.privateKey);
  return {
    privateKey,
    privateKeyPem: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    certificatePem: `${certificate.toString("pem")}\n`,
  };
}
