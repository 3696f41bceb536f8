/** demo.json: what a person, or a program, needs to call a freshly started platform. */
import type { DemoAccounts } from "./demo-accounts.ts";
import type { TlsFiles } from "./dev-ca.ts";
import { writePrivateFile } from "./private-file.ts";

export type DemoData = DemoAccounts & { baseUrl: string; tokenUrl: string; issuer: string; tls: TlsFiles };

export function writeDemoData(
  file: string,
  baseUrl: string,
  tls: TlsFiles,
  accounts: DemoAccounts,
): DemoData {
  const data: DemoData = { baseUrl, tokenUrl: `${baseUrl}/oauth2/token`, issuer: baseUrl, tls, ...accounts };
  // It holds passwords.
  writePrivateFile(file, `${JSON.stringify(data, null, 2)}\n`);
  return data;
}
