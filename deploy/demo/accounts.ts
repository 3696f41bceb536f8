/** Two partners with people and certificates, and two analysts, created with the operator's actions and kept over restarts. */
import { randomBytes, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PartnerView } from "../../shared/contract/actions/auth-token.ts";
import { errorCode } from "../../shared/errors.ts";
import type { AdminCall } from "../admin/command.ts";
import { connectAdmin } from "../admin/connect.ts";
import type { DemoAccounts, DemoClient, DemoPartner, DemoUser } from "../lib/demo-data.ts";
import { readJson, writePrivateFile } from "../lib/files.ts";
import type { StatePaths } from "../lib/paths.ts";
import { makePartnerKeys } from "../local/secrets/partner-certificate.ts";

type Deps = {
  call: AdminCall;
  /** Has the key and certificate files. */
  dir: string;
  /** Accounts of an earlier start, whose passwords stay valid. */
  earlier: DemoAccounts | null;
};

const PARTNERS = [
  { name: "Acme Trading Ltd", slug: "acme", domain: "acme.example" },
  { name: "Globex Payments GmbH", slug: "globex", domain: "globex.example" },
];
const ROLES = ["Owner", "Developer", "Viewer"];
const LEAD = "analyst@operator.example";
/** Two, so that a claim can be seen from the other side. */
const ANALYSTS = [LEAD, "second.analyst@operator.example"];
const RENEW_BEFORE_MS = 30 * 86_400_000;
/** Passwords are hashed while everything else is starting. */
const PATIENT_MS = "60000";

export async function keepDemoAccounts(
  env: Record<string, string>,
  { demoDir, demoFile }: StatePaths,
): Promise<DemoAccounts> {
  const { call, close } = await connectAdmin({ ...env, PBO_REQUEST_TIMEOUT_MS: PATIENT_MS });
  try {
    return await createDemoAccounts({ call, dir: demoDir, earlier: readJson<DemoAccounts>(demoFile) });
  } finally {
    await close();
  }
}

export async function createDemoAccounts(deps: Deps): Promise<DemoAccounts> {
  mkdirSync(deps.dir, { recursive: true, mode: 0o700 });
  const { items } = await deps.call("auth-token.listPartners", {});
  const partners: DemoPartner[] = [];
  for (const partner of PARTNERS) {
    const known = items.filter(({ name, testOf }) => name === partner.name && testOf === null).at(-1);
    partners.push(await keepPartner(deps, partner, known));
  }
  const [first] = partners;
  if (first) first.sandbox = await keepSandbox(deps, first.partnerId);
  const analysts: DemoAccounts["analysts"] = [];
  for (const email of ANALYSTS) {
    const { password } = await keepUser(deps, email, "Analyst", null);
    analysts.push({ email, password });
  }
  await deps.call("auth-token.setAnalystLead", { email: LEAD, lead: true });
  return { partners, analysts };
}

async function keepPartner(
  deps: Deps,
  { name, slug, domain }: (typeof PARTNERS)[number],
  known: PartnerView | undefined,
): Promise<DemoPartner> {
  const { partnerId, clientId } =
    known ?? (await deps.call("auth-token.createPartner", { name, approved: true }));
  const files = await keepCertificate(deps, partnerId, name, slug);
  const users: DemoUser[] = [];
  for (const role of ROLES)
    users.push(await keepUser(deps, `${role.toLowerCase()}@${domain}`, role, partnerId));
  return { partnerId, name, clientId, ...files, users };
}

/** Creating it again returns the same sandbox. */
async function keepSandbox(deps: Deps, ofPartner: string): Promise<DemoClient> {
  const sandbox = await deps.call("auth-token.createSandbox", { partnerId: ofPartner });
  const { partnerId, name, clientId } = sandbox;
  return { partnerId, name, clientId, ...(await keepCertificate(deps, partnerId, name, "sandbox")) };
}

async function keepCertificate({ call, dir }: Deps, partnerId: string, name: string, slug: string) {
  const privateKeyFile = join(dir, `${slug}.key.pem`);
  const certificateFile = join(dir, `${slug}.cert.pem`);
  if (!isGood(privateKeyFile, certificateFile)) {
    const keys = await makePartnerKeys({ commonName: name });
    writePrivateFile(privateKeyFile, keys.privateKeyPem);
    writePrivateFile(certificateFile, keys.certificatePem);
  }
  // Registering the same certificate again changes nothing.
  const certificate = readFileSync(certificateFile, "utf8");
  await call("auth-token.registerCertificate", { partnerId, certificate });
  return { privateKeyFile, certificateFile };
}

function isGood(privateKeyFile: string, certificateFile: string): boolean {
  if (!existsSync(privateKeyFile) || !existsSync(certificateFile)) return false;
  const { validToDate } = new X509Certificate(readFileSync(certificateFile));
  return validToDate.getTime() - Date.now() > RENEW_BEFORE_MS;
}

async function keepUser(
  deps: Deps,
  email: string,
  role: string,
  partnerId: string | null,
): Promise<DemoUser> {
  const known = earlierPassword(deps.earlier, email);
  const password = known ?? randomBytes(12).toString("base64url");
  try {
    if (partnerId === null) await deps.call("auth-token.createAnalyst", { email, password });
    else await deps.call("auth-token.createUser", { partnerId, email, role, password });
  } catch (error) {
    if (errorCode(error) !== "User.Exists") throw error;
    // The file with the passwords is gone but the database is not.
    if (known === null) await deps.call("auth-token.resetPassword", { email, password });
  }
  return { email, password, role };
}

function earlierPassword(earlier: DemoAccounts | null, email: string): string | null {
  const people = [...(earlier?.partners ?? []).flatMap(({ users }) => users), ...(earlier?.analysts ?? [])];
  return people.find((person) => person.email === email)?.password ?? null;
}
