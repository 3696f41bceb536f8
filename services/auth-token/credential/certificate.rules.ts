/** Rules of a partner's certificate. */
import { createHash, type KeyObject, X509Certificate } from "node:crypto";
import { AppError } from "../../../shared/errors.ts";

export type Certificate = {
  /** SHA-256 of the DER bytes, base64url: the value of an `x5t#S256` header. */
  thumbprint: string;
  subject: string;
  notBefore: Date;
  notAfter: Date;
  pem: string;
};

const MIN_RSA_BITS = 2_048;
/** A larger key makes each signature check slower, which only helps an attacker. */
const MAX_RSA_BITS = 8_192;
/** FIPS 186-5: above 2^16; the upper bound keeps a signature check cheap. */
const MIN_EXPONENT = 65_537n;
const MAX_EXPONENT = 2n ** 33n;
const MAX_PEM_LENGTH = 16_384;
const MAX_SUBJECT_LENGTH = 500;
/** For a certificate made a moment ago on a machine whose clock is ahead. */
const CLOCK_SKEW_MS = 30_000;

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

const invalid = (message: string) => new AppError("Certificate.Invalid", message);

/** Reads a PEM upload; the error names the reason to the partner. */
export function readCertificate(pem: unknown, now: number): Certificate {
  if (typeof pem !== "string" || pem.trim() === "")
    throw invalid("Send the certificate as PEM text in the field certificate.");
  if (pem.length > MAX_PEM_LENGTH) throw invalid("The PEM text is too long.");
  if (/PRIVATE KEY/.test(pem))
    throw invalid(
      "The upload holds a private key. Treat that key as exposed: make a new one, and send the certificate alone.",
    );
  const blocks = [...pem.matchAll(BLOCK)];
  if (blocks.length !== 1 || blocks[0]?.[1] !== "CERTIFICATE")
    throw invalid("Send exactly one PEM block of the type CERTIFICATE.");
  const parsed = parse(blocks[0][0]);
  const keyProblem = publicKeyProblem(parsed.publicKey);
  if (keyProblem) throw invalid(keyProblem);
  const certificate = describe(parsed);
  if (certificate.notAfter.getTime() <= now) throw invalid("The certificate has expired.");
  if (certificate.notBefore.getTime() > now + CLOCK_SKEW_MS)
    throw invalid("The certificate is not valid yet.");
  return certificate;
}

/** The problem with the key of a certificate; null for a usable key. */
export function publicKeyProblem(key: KeyObject): string | null {
  if (key.asymmetricKeyType !== "rsa") return "The certificate must hold an RSA key.";
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS)
    return `The RSA key has ${modulusLength} bits; at least ${MIN_RSA_BITS} are needed.`;
  if (modulusLength > MAX_RSA_BITS) return `The RSA key has more than ${MAX_RSA_BITS} bits.`;
  if (publicExponent < MIN_EXPONENT || publicExponent > MAX_EXPONENT || publicExponent % 2n === 0n)
    return "The public exponent of the RSA key is not usable; 65537 is.";
  return null;
}

function parse(block: string): X509Certificate {
  try {
    const certificate = new X509Certificate(block);
    // Reading the key is what finds an unknown or damaged key.
    void certificate.publicKey;
    return certificate;
  } catch {
    throw invalid("The PEM block is not a readable X.509 certificate.");
  }
}

const describe = (certificate: X509Certificate): Certificate => ({
  thumbprint: createHash("sha256").update(certificate.raw).digest("base64url"),
  subject: (certificate.subject ?? "").replaceAll("\n", ", ").slice(0, MAX_SUBJECT_LENGTH),
  notBefore: certificate.validFromDate,
  notAfter: certificate.validToDate,
  pem: certificate.toString(),
});
