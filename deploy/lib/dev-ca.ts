/** A local certificate authority and a certificate for localhost signed by it. */
import { webcrypto } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { writePrivateFile } from "./private-file.ts";

export type TlsFiles = { ca: string; cert: string; key: string };

type KeyPair = webcrypto.CryptoKeyPair;

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1000;
/** Clients refuse server certificates valid for more than 825 days. */
const VALID_DAYS = 365;
const RENEW_BEFORE_DAYS = 30;

/** Creates the files on the first start and renews them before they expire. */
export async function keepDevCertificates(dir: string): Promise<TlsFiles> {
  const files = { ca: join(dir, "ca.pem"), cert: join(dir, "cert.pem"), key: join(dir, "key.pem") };
  if (isGood(files)) return files;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  x509.cryptoProvider.set(webcrypto);
  const authority = await newAuthority();
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: "CN=localhost",
    issuer: authority.certificate.subject,
    ...validity(),
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
        { type: "ip", value: "::1" },
      ]),
    ],
  });
  writePrivateFile(files.key, await privateKeyPem(keys));
  writePrivateFile(files.cert, `${certificate.toString("pem")}\n`);
  writePrivateFile(files.ca, `${authority.certificate.toString("pem")}\n`);
  return files;
}

/** Its key is discarded, so nobody can sign another certificate that this machine trusts. */
async function newAuthority(): Promise<{ keys: KeyPair; certificate: x509.X509Certificate }> {
  const keys = await newKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: "CN=Partner onboarding local CA",
    ...validity(),
    keys: keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });
  return { keys, certificate };
}

function isGood(files: TlsFiles): boolean {
  if (!Object.values(files).every((file) => existsSync(file))) return false;
  try {
    return [files.ca, files.cert].every((file) => {
      const { notAfter } = new x509.X509Certificate(readFileSync(file, "utf8"));
      return notAfter.getTime() - Date.now() > RENEW_BEFORE_DAYS * DAY_MS;
    });
  } catch {
    return false;
  }
}

const newKeys = (): Promise<KeyPair> =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<KeyPair>;

const serialNumber = (): string =>
  `00${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString("hex")}`;

const validity = () => ({
  notBefore: new Date(Date.now() - DAY_MS),
  notAfter: new Date(Date.now() + VALID_DAYS * DAY_MS),
});

async function privateKeyPem(keys: KeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN PRIVATE KEY-----\n${lines.join("\n")}\n-----END PRIVATE KEY-----\n`;
}
