/** Everything between a partner and a confirmed document, as real processes, with customers to upload for. */
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import { makeAssertion, tokenForm } from "../../support/assertions.ts";
import { aSmallProfile } from "../../support/profile-builders.ts";
import { createTestBucket } from "../../support/servers.ts";
import { waitFor } from "../../support/wait-for.ts";
import type { BenchEnv } from "../frame/env.ts";

export type DocumentPath = {
  url: string;
  bucket: string;
  customerIds: string[];
  /** Good for some minutes. */
  headers(): Promise<Record<string, string>>;
};

const CUSTOMERS = 200;
const QUIET = { PBO_LOG_LEVEL: "warn" };

export async function openDocumentPath(env: BenchEnv): Promise<DocumentPath> {
  const bucket = await createTestBucket(env.namespace);
  const { url } = await env.startService("gateway", { settings: QUIET });
  const settings = { ...QUIET, PBO_BASE_URL: url };
  for (const name of ["auth-token", "profile", "document"] as const)
    await env.startService(name, { settings });
  const headers = await authorize(env, url);
  const customerIds = await Promise.all(
    Array.from({ length: CUSTOMERS }, async () => createCustomer(url, await headers())),
  );
  return { url, bucket, customerIds, headers };
}

async function authorize(env: BenchEnv, url: string): Promise<DocumentPath["headers"]> {
  const admin = await connectAdmin(env.settings);
  const { privateKey, certificatePem } = await makePartnerKeys({ commonName: "Bench Ltd" });
  const partner = await admin.call<{ partnerId: string; clientId: string }>("auth-token.createPartner", {
    name: "Bench Ltd",
    approved: true,
  });
  const { partnerId, clientId } = partner;
  await admin.call("auth-token.registerCertificate", { partnerId, certificate: certificatePem });
  await admin.close();

  const newToken = async (): Promise<string> => {
    const body = tokenForm(makeAssertion({ clientId, key: privateKey, audience: url }));
    const response = await fetch(`${url}/oauth2/token`, { method: "POST", body });
    if (response.status !== 200) throw new Error(`token: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  let token = { text: "", until: 0 };
  return async () => {
    if (token.until < Date.now())
      token = {
        text: await waitFor(newToken, { what: "a token", timeoutMs: 15_000 }),
        until: Date.now() + 120_000,
      };
    return { Authorization: `Bearer ${token.text}`, "Content-Type": "application/json" };
  };
}

async function createCustomer(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`${url}/api/partner/v1/business-profiles`, {
    method: "POST",
    headers,
    body: JSON.stringify(aSmallProfile()),
  });
  if (response.status !== 200) throw new Error(`create: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { value: { customerId: string } }).value.customerId;
}

export const linkPath = (customerId: string): string =>
  `/api/partner/v1/business-profiles/${customerId}/documents/upload-link`;

export const A_LINK = { documentCategory: "BankStatement", contentType: "application/pdf" };
