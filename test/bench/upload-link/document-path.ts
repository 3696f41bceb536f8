/** Everything between a partner and a confirmed document, as real processes, with customers to upload for. */
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { createTestBucket } from "../../support/servers/servers.ts";
import type { BenchEnv } from "../frame/env.ts";
import { admitPartner } from "../frame/partner.ts";
import { postJson } from "../frame/post-json.ts";
import { PROFILES } from "../profile/profile-path.ts";

export type DocumentPath = {
  url: string;
  bucket: string;
  customerIds: string[];
  /** Good for some minutes. */
  headers(): Promise<Record<string, string>>;
};

const CUSTOMERS = 200;
const QUIET = { PBO_LOG_LEVEL: "warn" };

export async function openDocumentPath(
  env: BenchEnv,
  given: Readonly<Record<string, string>> = {},
): Promise<DocumentPath> {
  const bucket = await createTestBucket(env.namespace);
  const { url } = await env.startService("gateway", { settings: QUIET });
  const settings = { ...QUIET, PBO_BASE_URL: url, ...given };
  for (const name of ["auth-token", "profile", "document"] as const)
    await env.startService(name, { settings });
  const { headers } = await admitPartner(env, url);
  const customerIds = await Promise.all(
    Array.from({ length: CUSTOMERS }, async () => createCustomer(url, await headers())),
  );
  return { url, bucket, customerIds, headers };
}

async function createCustomer(url: string, headers: Record<string, string>): Promise<string> {
  return (await postJson<{ customerId: string }>(url + PROFILES, headers, aSmallProfile())).customerId;
}

export const linkPath = (customerId: string): string => `${PROFILES}/${customerId}/documents/upload-link`;

export const A_LINK = { documentCategory: "BankStatement", contentType: "application/pdf" };
