/** Gateway, tokens and profile service as real processes, a partner that may call them, and their database. */
import { createConnection } from "mongoose";
import type { AdminCall } from "../../../deploy/admin/command.ts";
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { waitFor } from "../../support/wait-for.ts";
import { answers200, type BenchEnv } from "../frame/env.ts";
import { admitPartner, asOperator, postJson } from "../frame/partner.ts";

export const PROFILES = "/api/partner/v1/business-profiles";

export type ProfilePath = Awaited<ReturnType<typeof openProfilePath>>;

/** As on the local platform, and quiet; a database that was just filled is slow for a while. */
const OWN = { PBO_LOG_LEVEL: "warn", PBO_SECOND_FACTOR: "none", PBO_REQUEST_TIMEOUT_MS: "20000" };

export async function openProfilePath(env: BenchEnv, namespace = env.namespace) {
  const own = { ...OWN, PBO_NAMESPACE: namespace };
  const { url } = await env.startService("gateway", { settings: own });
  for (const name of ["auth-token", "profile"] as const)
    await env.startService(name, { settings: { ...own, PBO_BASE_URL: url } });
  // Ready by itself; the gateway may not have heard of it yet.
  await waitFor(() => answers200(`${url}/api/ping`), "the gateway to reach the profile service");
  const ownEnv = { ...env, settings: { ...env.settings, ...own } };
  const { partnerId, headers } = await admitPartner(ownEnv, url);
  const connection = await createConnection(env.servers.mongodbUri, {
    dbName: databaseName(namespace, "profile"),
    writeConcern: { w: "majority", journal: true },
    readConcern: { level: "majority" },
  }).asPromise();
  env.onClose(() => connection.close());
  const profiles = connection.collection<StoredProfile>("business_profiles");

  return {
    url,
    partnerId,
    headers,
    connection,
    profiles,
    admin: <T>(work: (call: AdminCall) => Promise<T>): Promise<T> => asOperator(ownEnv, work),
    /** Creates one customer over HTTP and gives it back as it is stored. */
    async createOne(body: unknown): Promise<StoredProfile> {
      const { customerId } = await postJson<{ customerId: string }>(url + PROFILES, await headers(), body);
      const stored = await profiles.findOne({ _id: customerId });
      if (!stored) throw new Error("The customer is not in the database.");
      return stored;
    },
  };
}
