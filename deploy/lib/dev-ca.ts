/** A local certificate authority and a certificate for localhost signed by it. */
import { X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newAuthority } from "./certificates.ts";
import { writePrivateFile } from "./files.ts";

export type TlsFiles = { ca: string; cert: string; key: string };

const DAY_MS = 24 * 60 * 60 * 1000;
const RENEW_BEFORE_DAYS = 30;

/** Creates the files on the first start and renews them before they expire. */
export async function keepDevCertificates(dir: string): Promise<TlsFiles> {
  const files = { ca: join(dir, "ca.pem"), cert: join(dir, "cert.pem"), key: join(dir, "key.pem") };
  if (isGood(files)) return files;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { caPem, issue } = await newAuthority("Partner onboarding local CA");
  const { cert, key } = await issue({ names: ["localhost"], addresses: ["127.0.0.1", "::1"] });
  writePrivateFile(files.key, key);
  writePrivateFile(files.cert, cert);
  writePrivateFile(files.ca, caPem);
  return files;
}

function isGood(files: TlsFiles): boolean {
  try {
    if (!existsSync(files.key)) return false;
    return [files.ca, files.cert].every((file) => {
      const { validTo } = new X509Certificate(readFileSync(file));
      return Date.parse(validTo) - Date.now() > RENEW_BEFORE_DAYS * DAY_MS;
    });
  } catch {
    return false;
  }
}
