/** A certificate authority for one test file, and the server certificates it signs. */
import type { webcrypto } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

export type ServerCertificate = { cert: string; key: string };
type CertificateRequest = { names?: string[]; addresses?: string[]; notAfter?: Date };
export type TestAuthority = {
  caPem: string;
  /** For PBO_WEBHOOK_CA_FILE. */
  caFile: string;
  issue(request?: CertificateRequest): Promise<ServerCertificate>;
};

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 86_400_000;

export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await newKeys();
  const name = "CN=Test CA";
  const ca = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name,
    ...validity(),
    signingAlgorithm: ALGORITHM,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 1, true)],
  });
  const caPem = ca.toString("pem");
  const caFile = join(mkdtempSync(join(tmpdir(), "pbo-ca-")), "ca.pem");
  writeFileSync(caFile, caPem);

  return {
    caPem,
    caFile,
    async issue({ names = ["localhost"], addresses = ["127.0.0.1", "::1"], notAfter } = {}) {
      const serverKeys = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        subject: `CN=${names[0] ?? addresses[0]}`,
        issuer: name,
        ...validity(notAfter),
        signingAlgorithm: ALGORITHM,
        publicKey: serverKeys.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          new x509.SubjectAlternativeNameExtension([
            ...names.map((value) => ({ type: "dns" as const, value })),
            ...addresses.map((value) => ({ type: "ip" as const, value })),
          ]),
        ],
      });
      return { cert: certificate.toString("pem"), key: await privatePem(serverKeys) };
    },
  };
}

type KeyPair = { publicKey: webcrypto.CryptoKey; privateKey: webcrypto.CryptoKey };

const newKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<KeyPair>;

const validity = (notAfter = new Date(Date.now() + 30 * DAY_MS)) => ({
  notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS),
  notAfter,
});

async function privatePem(keys: KeyPair): Promise<string> {
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey));
  return `-----BEGIN PRIVATE KEY-----\n${der.toString("base64").replace(/(.{64})/g, "$1\n")}\n-----END PRIVATE KEY-----\n`;
}
