/** A certificate authority that lives as long as this process, and the servers' certificates that it signs. */
import { KeyObject, webcrypto } from "node:crypto";
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

export type CertificateRequest = {
  names: readonly string[];
  addresses?: readonly string[];
  organization?: string | undefined;
  notAfter?: Date;
};
export type ServerCertificate = { cert: string; key: string };
export type Authority = {
  caPem: string;
  issue(request: CertificateRequest): Promise<ServerCertificate>;
};

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1000;
/** Clients refuse server certificates valid for more than 825 days. */
const VALID_DAYS = 365;

/** Its key is never stored, so no other certificate can be signed with it. */
export async function newAuthority(commonName: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: `CN=${commonName}`,
    ...validity(),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  });

  return {
    caPem: `${authority.toString("pem")}\n`,
    async issue({ names, addresses = [], organization, notAfter }) {
      const own = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: `${organization ? `O=${organization}, ` : ""}CN=${names[0] ?? addresses[0]}`,
        issuer: authority.subject,
        ...validity(notAfter),
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new x509.BasicConstraintsExtension(false),
          new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
          // Servers of a cluster are also each other's clients.
          new x509.ExtendedKeyUsageExtension([
            x509.ExtendedKeyUsage.serverAuth,
            x509.ExtendedKeyUsage.clientAuth,
          ]),
          new x509.SubjectAlternativeNameExtension([
            ...names.map((value) => ({ type: "dns" as const, value })),
            ...addresses.map((value) => ({ type: "ip" as const, value })),
          ]),
        ],
      });
      const key = KeyObject.from(own.privateKey).export({ type: "pkcs8", format: "pem" }).toString();
      return { cert: `${certificate.toString("pem")}\n`, key };
    },
  };
}

const newKeys = () => webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);

const serialNumber = (): string =>
  `00${Buffer.from(webcrypto.getRandomValues(new Uint8Array(15))).toString("hex")}`;

const validity = (notAfter = new Date(Date.now() + VALID_DAYS * DAY_MS)) => ({
  notBefore: new Date(Math.min(Date.now(), notAfter.getTime()) - DAY_MS),
  notAfter,
});
