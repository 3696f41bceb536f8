/** Upload links over HTTP, with every check and a durable record: its CPU is in the capacity tables. */
import { aSmallProfile } from "../support/builders/profile-builders.ts";
import { createTestBucket } from "../support/servers/servers.ts";
import type { BenchEnv } from "./frame/env.ts";
import { admitPartner, postJson } from "./frame/partner.ts";
import type { BenchSpec } from "./frame/spec.ts";
import { PROFILES } from "./profile/profile-path.ts";

const CUSTOMERS = 200;
const A_LINK = { documentCategory: "BankStatement", contentType: "application/pdf" };
const QUIET = { PBO_LOG_LEVEL: "warn" };
/** No file is uploaded here. */
const NO_LOOKS = { PBO_DOCUMENT_FIRST_LOOK_MS: "600000" };

export const bench: BenchSpec = {
  name: "upload-link over HTTP",
  issue: 5,
  async setup(env) {
    await createTestBucket(env.namespace);
    const path = await openDocumentPath(env);
    return {
      workload: {
        name: "gateway, profile and document service",
        run: env.http({
          url: path.url,
          requests: async () => {
            const headers = await path.headers();
            return path.customerIds.map((id) => ({
              method: "POST",
              path: `${PROFILES}/${id}/documents/upload-link`,
              headers,
              body: A_LINK,
            }));
          },
        }),
      },
      floors: [],
    };
  },
};

/** All services between a partner and a confirmed document as processes, with customers to upload for. */
async function openDocumentPath(env: BenchEnv) {
  const { url } = await env.startService("gateway", { settings: QUIET });
  const settings = { ...QUIET, ...NO_LOOKS, PBO_BASE_URL: url };
  for (const name of ["auth-token", "profile", "document"] as const)
    await env.startService(name, { settings });
  const { headers } = await admitPartner(env, url);
  const createOne = async (): Promise<string> => {
    const answer = await postJson<{ customerId: string }>(url + PROFILES, await headers(), aSmallProfile());
    return answer.customerId;
  };
  return { url, headers, customerIds: await Promise.all(Array.from({ length: CUSTOMERS }, createOne)) };
}
