import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AdminCall } from "../../../deploy/admin/command.ts";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { type DemoData, type DemoPartner, demoPartner } from "../../../deploy/lib/demo-data.ts";
import type { SandboxView } from "../../../shared/contract/answers/credential.ts";
import { nextPartnerKeys } from "../servers/partner-keys.ts";
import type { TestPlatform } from "../stage/platform.ts";
import { type DashboardClient, dashboardClient, demoLogin, PARTNER_PROFILE } from "./dashboard-client.ts";

/** Hashing passwords takes its time on a busy machine. */
const PATIENT_MS = "20000";
const ROLES = ["Owner", "Developer", "Viewer"];

/** The operator of this platform. */
export const adminOf = ({ addresses, namespace }: TestPlatform) =>
  connectAdmin({
    PBO_ENV: "local",
    PBO_NATS_URL: addresses.natsUrl,
    PBO_NAMESPACE: namespace,
    PBO_REQUEST_TIMEOUT_MS: PATIENT_MS,
  });

type Wanted = { partners?: number; roles?: readonly string[] };

/** Two new partners with all their people, or what is wanted of that; the analysts are the platform's. */
export async function newAccounts(
  platform: TestPlatform,
  { partners = 2, roles = ROLES }: Wanted = {},
): Promise<DemoData> {
  const dir = join(dirname(dirname(platform.demo.tls.ca)), "partners");
  mkdirSync(dir, { recursive: true });
  const { call, close } = await adminOf(platform);
  try {
    const made: DemoPartner[] = [];
    while (made.length < partners) made.push(await newPartner(call, dir, roles));
    return { ...platform.demo, partners: made };
  } finally {
    await close();
  }
}

/** A partner's sandbox with an API client, as its Owner opens it; the first partner's unless another is named. */
export async function openSandbox(
  demo: DemoData,
  index = 0,
): Promise<{ twin: DemoPartner; inSandbox: DashboardClient }> {
  const live = demoPartner(demo, index + 1);
  const login = demoLogin(demo, "Owner", index);
  const owner = await dashboardClient(demo.baseUrl, login);
  const { value } = (await owner.post<SandboxView>(`${PARTNER_PROFILE}/sandbox`)).body;
  const inSandbox = await dashboardClient(demo.baseUrl, login, { "Svc-Sandbox": "true" });
  const certificate = readFileSync(live.certificateFile, "utf8");
  await inSandbox.post(`${PARTNER_PROFILE}/api-credentials`, { certificate });
  return { twin: { ...live, ...value }, inSandbox };
}

export async function newPartner(
  call: AdminCall,
  dir: string,
  roles: readonly string[] = ROLES,
): Promise<DemoPartner> {
  const slug = randomBytes(4).toString("hex");
  const name = `Partner ${slug}`;
  const { partnerId, clientId } = await call("auth-token.createPartner", { name, approved: true });
  const keys = nextPartnerKeys();
  const files = {
    privateKeyFile: join(dir, `${slug}.key.pem`),
    certificateFile: join(dir, `${slug}.cert.pem`),
  };
  writeFileSync(files.privateKeyFile, keys.privateKeyPem);
  writeFileSync(files.certificateFile, keys.certificatePem);
  await call("auth-token.registerCertificate", { partnerId, certificate: keys.certificatePem });
  const users = await Promise.all(
    roles.map(async (role) => {
      const email = `${role.toLowerCase()}@${slug}.example`;
      const password = randomBytes(12).toString("base64url");
      await call("auth-token.createUser", { partnerId, role, email, password });
      return { email, password, role };
    }),
  );
  return { partnerId, name, clientId, ...files, users };
}
