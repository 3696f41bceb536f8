/** demo.json: partners and people to try the API with, and the addresses of the platform. */
import type { TlsFiles } from "./dev-ca.ts";
import { writePrivateFile } from "./files.ts";

export type DemoUser = { email: string; password: string; role: string };

export type DemoClient = {
  partnerId: string;
  name: string;
  clientId: string;
  privateKeyFile: string;
  certificateFile: string;
};

export type DemoPartner = DemoClient & {
  users: DemoUser[];
  /** The client of its sandbox; only of the first partner. */
  sandbox?: DemoClient;
};

export type DemoAccounts = { partners: DemoPartner[]; analysts: { email: string; password: string }[] };

export type DemoData = DemoAccounts & { baseUrl: string; tokenUrl: string; issuer: string; tls: TlsFiles };

/** The first partner is number 1. */
export function demoPartner({ partners }: DemoAccounts, number: number): DemoPartner {
  const partner = partners[number - 1];
  if (!partner) throw new Error(`There is no demo partner ${number}.`);
  return partner;
}

export function writeDemoData(
  file: string,
  baseUrl: string,
  tls: TlsFiles,
  accounts: DemoAccounts,
): DemoData {
  const data: DemoData = { baseUrl, tokenUrl: `${baseUrl}/oauth2/token`, issuer: baseUrl, tls, ...accounts };
  // It contains passwords.
  writePrivateFile(file, `${JSON.stringify(data, null, 2)}\n`);
  return data;
}
