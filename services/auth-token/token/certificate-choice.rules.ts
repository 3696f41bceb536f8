/** The certificates that may verify an assertion. */
import type { KeyObject } from "node:crypto";
import { AssertionRefused } from "./assertion.rules.ts";

export type ClientCertificate = {
  thumbprint: string;
  notBefore: number;
  notAfter: number;
  publicKey: KeyObject;
  /** Problem of the key, or null. */
  keyProblem: string | null;
};

/** The usable certificates, newest first; throws the reason when there is none. */
export function usableCertificates(
  certificates: readonly ClientCertificate[],
  thumbprint: unknown,
  nowMs: number,
): readonly ClientCertificate[] {
  const named =
    thumbprint === undefined ? certificates : certificates.filter((each) => each.thumbprint === thumbprint);
  const usable = named.filter((each) => problemOf(each, nowMs) === null);
  if (usable.length > 0) return usable;
  const [first] = named;
  if (!first)
    throw new AssertionRefused(
      "CertificateMissing",
      thumbprint === undefined
        ? "No certificate is registered."
        : "The x5t#S256 header names a certificate that is not registered.",
    );
  throw problemOf(first, nowMs);
}

function problemOf(certificate: ClientCertificate, nowMs: number): AssertionRefused | null {
  if (certificate.notAfter <= nowMs)
    return new AssertionRefused(
      "CertificateExpired",
      `The certificate ${certificate.thumbprint} has expired.`,
    );
  if (certificate.notBefore > nowMs)
    return new AssertionRefused(
      "CertificateNotYetValid",
      `The certificate ${certificate.thumbprint} is not valid yet.`,
    );
  if (certificate.keyProblem) return new AssertionRefused("KeyNotAllowed", certificate.keyProblem);
  return null;
}
