/** A certificate authority for one test file, and the server certificates it signs. */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type CertificateRequest,
  newAuthority,
  type ServerCertificate,
} from "../../../deploy/lib/certificates.ts";

export type { ServerCertificate };

export type TestAuthority = {
  caPem: string;
  /** For PBO_WEBHOOK_CA_FILE. */
  caFile: string;
  /** For this machine, unless the request names others. */
  issue(request?: Partial<CertificateRequest>): Promise<ServerCertificate>;
};

export async function createTestAuthority(): Promise<TestAuthority> {
  const { caPem, issue } = await newAuthority("Test CA");
  const caFile = join(mkdtempSync(join(tmpdir(), "pbo-ca-")), "ca.pem");
  writeFileSync(caFile, caPem);
  return {
    caPem,
    caFile,
    issue: (request) => issue({ names: ["localhost"], addresses: ["127.0.0.1", "::1"], ...request }),
  };
}
