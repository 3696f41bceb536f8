import { createHash, type KeyObject, webcrypto } from "node:crypto";
import { beforeAll, describe, expect, test } from "@jest/globals";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import fc from "fast-check";
import {
  publicKeyProblem,
  readCertificate,
} from "../../../services/auth-token/credential/certificate.rules.ts";

const NOT_BEFORE = Date.UTC(2030, 0, 1);
const NOT_AFTER = Date.UTC(2031, 0, 1);
const NOW = Date.UTC(2030, 5, 1);
const RSA = {
  name: "RSASSA-PKCS1-v1_5",
  hash: "SHA-256",
  modulusLength: 2_048,
  publicExponent: new Uint8Array([1, 0, 1]),
};
const P256 = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

async function selfSigned(
  algorithm: typeof RSA | typeof P256,
  name: x509.JsonName,
): Promise<x509.X509Certificate> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    "sign",
    "verify",
  ])) as webcrypto.CryptoKeyPair;
  return x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name,
    notBefore: new Date(NOT_BEFORE),
    notAfter: new Date(NOT_AFTER),
    signingAlgorithm: algorithm,
    keys,
  });
}

let good: x509.X509Certificate;
let nameless: x509.X509Certificate;
let elliptic: x509.X509Certificate;
beforeAll(async () => {
  [good, nameless, elliptic] = await Promise.all([
    selfSigned(RSA, [{ O: ["Acme"] }, { CN: ["acme.example"] }]),
    selfSigned(RSA, []),
    selfSigned(P256, [{ CN: ["acme.example"] }]),
  ]);
});
const pem = () => good.toString("pem");

describe("readCertificate", () => {
  test("a good one: its thumbprint, subject, times and the PEM alone", () => {
    const read = readCertificate(`some words before\n${pem()}\n`, NOW);
    expect(read).toEqual({
      thumbprint: createHash("sha256").update(Buffer.from(good.rawData)).digest("base64url"),
      subject: "O=Acme, CN=acme.example",
      notBefore: new Date(NOT_BEFORE),
      notAfter: new Date(NOT_AFTER),
      pem: expect.stringMatching(/^-----BEGIN CERTIFICATE-----\n/),
    });
    expect(readCertificate(read.pem, NOW)).toEqual(read);
  });

  test("a certificate of the largest size is read, with a shortened subject", async () => {
    const units = Array.from({ length: 10 }, () => ({ OU: ["x".repeat(60)] }));
    const long = await selfSigned(RSA, units);
    expect(readCertificate(long.toString("pem").padEnd(16_384), NOW).subject).toHaveLength(500);
  });

  test("a certificate without a subject is read", () => {
    expect(readCertificate(nameless.toString("pem"), NOW).subject).toBe("");
  });

  test.each([
    ["at its last moment", NOT_AFTER - 1],
    ["half a minute before it begins: clocks differ", NOT_BEFORE - 30_000],
  ])("%s: accepted", (_name, now) =>
    expect(readCertificate(pem(), now).notAfter).toEqual(new Date(NOT_AFTER)),
  );

  test.each([
    ["at its end", NOT_AFTER, "The certificate has expired."],
    ["more than half a minute before it begins", NOT_BEFORE - 30_001, "The certificate is not valid yet."],
  ])("%s: refused", (_name, now, message) => expect(() => readCertificate(pem(), now)).toThrow(message));

  test.each<[string, () => unknown, string]>([
    ["nothing", () => undefined, "Send the certificate as PEM text"],
    ["a blank text", () => " \n", "Send the certificate as PEM text"],
    ["an object", () => ({ pem: pem() }), "Send the certificate as PEM text"],
    ["too much", () => pem().padEnd(16_385), "The PEM text is too long."],
    ["a private key beside it", () => `${pem()}\n-----BEGIN PRIVATE KEY-----`, "Treat that key as exposed"],
    ["no block", () => "nonsense", "exactly one PEM block"],
    ["two certificates", () => `${pem()}\n${pem()}`, "exactly one PEM block"],
    ["a block of another type", () => pem().replaceAll("CERTIFICATE", "PUBLIC KEY"), "exactly one PEM block"],
    [
      "a block that holds nonsense",
      () => "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
      "not a readable X.509 certificate",
    ],
    ["another kind of key", () => elliptic.toString("pem"), "must hold an RSA key"],
  ])("%s: refused", (_name, upload, message) => {
    expect(() => readCertificate(upload(), NOW)).toThrow(message);
  });
});

test("any value is refused with a reason", () =>
  fc.assert(
    fc.property(
      fc.oneof(
        fc.anything(),
        fc.string().map((text) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`),
      ),
      (value) =>
        expect(() => readCertificate(value, 0)).toThrow(
          expect.objectContaining({ type: "Certificate.Invalid", message: expect.stringMatching(/./) }),
        ),
    ),
  ));

describe("publicKeyProblem", () => {
  const key = (modulusLength: number | undefined, publicExponent: bigint | undefined) =>
    ({
      asymmetricKeyType: "rsa",
      asymmetricKeyDetails: { modulusLength, publicExponent },
    }) as unknown as KeyObject;

  const BAD_EXPONENT = "The public exponent of the RSA key is not usable; 65537 is.";
  test.each<[string, KeyObject, string | null]>([
    ["2048 bits", key(2_048, 65_537n), null],
    ["8192 bits", key(8_192, 65_537n), null],
    ["2047 bits", key(2_047, 65_537n), "The RSA key has 2047 bits; at least 2048 are needed."],
    ["8193 bits", key(8_193, 65_537n), "The RSA key has more than 8192 bits."],
    ["exponent 65535", key(2_048, 65_535n), BAD_EXPONENT],
    ["exponent 65538", key(2_048, 65_538n), BAD_EXPONENT],
    ["exponent 2^33 - 1", key(2_048, 2n ** 33n - 1n), null],
    ["exponent 2^33 + 1", key(2_048, 2n ** 33n + 1n), BAD_EXPONENT],
    [
      "no details",
      { asymmetricKeyType: "rsa" } as KeyObject,
      "The RSA key has 0 bits; at least 2048 are needed.",
    ],
    ["no exponent", key(2_048, undefined), BAD_EXPONENT],
    ...(["ed25519", "rsa-pss"] as const).map((asymmetricKeyType): [string, KeyObject, string] => [
      `a key of ${asymmetricKeyType}`,
      { asymmetricKeyType } as KeyObject,
      "The certificate must hold an RSA key.",
    ]),
  ])("%s", (_name, given, problem) => expect(publicKeyProblem(given)).toBe(problem));
});
