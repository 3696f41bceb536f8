/** Generates a key and a self-signed certificate, as a partner would with openssl. */
import "reflect-metadata";
import { createPrivateKey, generateKeyPair, type KeyObject, randomBytes, webcrypto } from "node:crypto";
import { promisify } from "node:util";
import * as x509 from "@peculiar/x509";

export type PartnerKeys = { privateKey: KeyObject; privateKeyPem: string; certificatePem: string };

export type CertificateWish = { commonName: string; bits?: number; notBefore?: Date; notAfter?: Date };

const DAY_MS = 86_400_000;
const VALID_DAYS = 3_650;
const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

export async function makePartnerKeys({
  commonName,
  bits = 2_048,
  ...dates
}: CertificateWish): Promise<PartnerKeys> {
  const pem = await promisify(generateKeyPair)("rsa", {
    modulusLength: bits,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const privateKey = createPrivateKey(pem.privateKey);
  const der = privateKey.export({ type: "pkcs8", format: "der" });
  const { subtle } = webcrypto;
  const keys = {
    publicKey: await subtle.importKey("spki", pem.publicKey, ALGORITHM, true, ["verify"]),
    privateKey: await subtle.importKey("pkcs8", der, ALGORITHM, true, ["sign"]),
  };
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: `00${randomBytes(15).toString("hex")}`,
    name: [{ CN: [commonName] }],
    notBefore: dates.notBefore ?? new Date(Date.now() - DAY_MS),
    notAfter: dates.notAfter ?? new Date(Date.now() + VALID_DAYS * DAY_MS),
    signingAlgorithm: ALGORITHM,
    keys,
  });
  return { privateKey, privateKeyPem: pem.privateKey, certificatePem: `${certificate.toString("pem")}\n` };
}
