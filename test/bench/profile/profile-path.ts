/** Gateway, tokens and profile service as real processes, a partner that may call them, and their database. */
import { createConnection } from "mongoose";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { makePartnerKeys } from "../../../deploy/local/secrets/partner-certificate.ts";
import type { StoredProfile } from "../../../services/profile/profile.types.ts";
import { databaseName } from "../../../shared/mongo.ts";
import { makeAssertion, tokenForm } from "../../support/assertions.ts";
import { waitFor } from "../../support/wait-for.ts";
import { answers200, type BenchEnv } from "../frame/env.ts";

export const PROFILES = "/api/partner/v1/business-profiles";

export type ProfilePath = Awaited<ReturnType<typeof openProfilePath>>;

const QUIET = { PBO_LOG_LEVEL: "warn" };
const TOKEN_GOOD_MS = 120_000;

export async function openProfilePath(env: BenchEnv, namespace = env.namespace) {
  const own = { ...QUIET, PBO_NAMESPACE: namespace };
  const { url } = await env.startService("gateway", { settings: own });
  for (const name of ["auth-token", "profile"] as const)
    await env.startService(name, { settings: { ...own, PBO_BASE_URL: url } });
  // Ready by itself; the gateway may not have heard of it yet.
  await waitFor(() => answers200(`${url}/api/ping`), { what: "the gateway to reach the profile service" });
  const { partnerId, headers } = await admit({ ...env.settings, ...own }, url);
  const connection = await createConnection(env.servers.mongodbUri, {
    dbName: databaseName(namespace, "profile"),
    writeConcern: { w: "majority", journal: true },
    readConcern: { level: "majority" },
  }).asPromise();

  return {
    url,
    partnerId,
    headers,
    connection,
    profiles: connection.collection<StoredProfile>("business_profiles"),
    /** Creates one customer over HTTP and gives it back as it is stored. */
    async createOne(body: unknown): Promise<StoredProfile> {
      const response = await fetch(url + PROFILES, {
        method: "POST",
        headers: await headers(),
        body: JSON.stringify(body),
      });
      if (response.status !== 200) throw new Error(`create: ${response.status} ${await response.text()}`);
      const { value } = (await response.json()) as { value: { customerId: string } };
      const stored = await connection
        .collection<StoredProfile>("business_profiles")
        .findOne({ _id: value.customerId });
      if (!stored) throw new Error("The customer is not in the database.");
      return stored;
    },
    close: () => connection.close(),
  };
}

async function admit(settings: Record<string, string>, url: string) {
  const admin = await connectAdmin(settings);
  const { privateKey, certificatePem } = await makePartnerKeys({ commonName: "Bench Ltd" });
  const { partnerId, clientId } = await admin.call<{ partnerId: string; clientId: string }>(
    "auth-token.createPartner",
    {
      name: "Bench Ltd",
      approved: true,
    },
  );
  await admin.call("auth-token.registerCertificate", { partnerId, certificate: certificatePem });
  await admin.close();

  const newToken = async (): Promise<string> => {
    const body = tokenForm(makeAssertion({ clientId, key: privateKey, audience: url }));
    const response = await fetch(`${url}/oauth2/token`, { method: "POST", body });
    if (response.status !== 200) throw new Error(`token: ${response.status} ${await response.text()}`);
    return ((await response.json()) as { access_token: string }).access_token;
  };
  let token = { text: "", until: 0 };
  const headers = async () => {
    if (token.until < Date.now()) {
      const text = await waitFor(newToken, { what: "a token", timeoutMs: 15_000 });
      token = { text, until: Date.now() + TOKEN_GOOD_MS };
    }
    return { Authorization: `Bearer ${token.text}`, "Content-Type": "application/json" };
  };
  return { partnerId, headers };
}
