/** A certificate authority for one test file, and the server certificates it signs. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CertificateRequest, newAuthority } from "../../../deploy/lib/certificates.ts";

export type { ServerCertificate } from "../../../deploy/lib/certificates.ts";
export type TestAuthority = Awaited<ReturnType<typeof createTestAuthority>>;

export async function createTestAuthority() {
  const { caPem, issue } = await newAuthority("Test CA");
  const caFile = join(mkdtempSync(join(tmpdir(), "pbo-ca-")), "ca.pem");
  writeFileSync(caFile, caPem);
  return {
    caPem,
    caFile,
    /** For this machine, unless the request names others. */
    issue: (request?: Partial<CertificateRequest>) =>
      issue({ names: ["localhost"], addresses: ["127.0.0.1", "::1"], ...request }),
  };
}
