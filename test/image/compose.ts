/**
 * deploy/compose.yaml on a Docker engine: up, accounts by its line for operators, a receiver by its line for receivers, then token,
 * customer, upload, Confirmed and verified webhooks; down, with nothing left. Run by test/image/try-compose.sh.
 */
import { strict as assert } from "node:assert";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../deploy/client/typescript/src/index.ts";
import { exampleBusiness } from "../../deploy/demo/businesses.ts";
import { samplePdf } from "../../deploy/demo/sample-pdf.ts";
import { signIn } from "../../deploy/lib/dashboard-session.ts";
import { poll } from "../../deploy/local/poll.ts";
import { makePartnerKeys } from "../../deploy/local/secrets/partner-certificate.ts";
import { processEnv, SERVICE_NAMES } from "../../shared/config/config.ts";
import { docker } from "./containers.ts";

const BASE_URL = "http://localhost:3000";
const RECEIVER_URL = "https://localhost:8443/webhooks";
const RECEIVER = "partner-onboarding-receiver";
const WITHIN_MS = 180_000;
const EVENTS = ["business.profile.created", "business.person.added", "business.document.confirmed"];

const compose = (...args: string[]) => docker("compose", ...args);
const say = (text: string) => console.log(text);
const folder = mkdtempSync(join(tmpdir(), "compose-"));

try {
  await up();
  await journey();
} catch (error) {
  say(await compose("ps", "--all"));
  say(await compose("logs", "--tail", "15"));
  throw error;
} finally {
  // `down` does not end containers that `run` started.
  await docker("rm", "--force", RECEIVER).catch(() => undefined);
  await compose("--profile", "tools", "--profile", "receiver", "down", "--volumes", "--timeout", "60");
  rmSync(folder, { recursive: true });
}
for (const list of [
  ["ps", "--all"],
  ["volume", "ls"],
  ["network", "ls"],
]) {
  const left = await docker(
    ...list,
    "--quiet",
    "--filter",
    "label=com.docker.compose.project=partner-onboarding",
  );
  assert.equal(left, "", `left by ${list[0]}`);
}
say("down: nothing is left");

async function up(): Promise<void> {
  await compose("up", "--detach");
  const healthy = async () => {
    const containers = await compose("ps", "--format", "{{.Service}} {{.Health}}");
    return ["gateway", ...SERVICE_NAMES, "mongo", "storage"].every((name) =>
      containers.split("\n").includes(`${name} healthy`),
    );
  };
  await poll(healthy, { withinMs: WITHIN_MS, everyMs: 1_000, what: "healthy containers" });
  say(`up: ${(await compose("ps", "--services")).split("\n").length} services, all healthy`);
}

async function admin(command: string, ...options: string[]): Promise<Record<string, string>> {
  const args = [...command.split(" "), "--operator", "me", "--json"];
  return JSON.parse(await compose("run", "--rm", ...options, "admin", ...args));
}

async function journey(): Promise<void> {
  const { partnerId, clientId = "" } = await admin("partner create --name Acme --approved");
  const keys = await makePartnerKeys({ commonName: "Acme" });
  const certificate = join(folder, "certificate.pem");
  writeFileSync(certificate, keys.certificatePem, { mode: 0o644 });
  await admin(
    `certificate register --partner ${partnerId} --file /certificate.pem`,
    ...["--volume", `${certificate}:/certificate.pem:ro`],
  );
  const email = "me@acme.test";
  const { password = "" } = await admin(`user create --partner ${partnerId} --email ${email} --role Owner`);

  const owner = await signIn(BASE_URL, { email, password });
  const path = "/customer/v1/partner-profile/webhooks";
  const { webhookSecret } = await owner.call<{ webhookSecret: string }>("POST", path, { url: RECEIVER_URL });
  // As `PBO_WEBHOOK_SECRET=… docker compose run --rm receiver`.
  processEnv().PBO_WEBHOOK_SECRET = webhookSecret;
  await compose("run", "--detach", "--name", RECEIVER, "receiver");
  const heard = () => docker("logs", RECEIVER);
  await poll(async () => (await heard()).includes("Listening"), {
    withinMs: WITHIN_MS,
    what: "the receiver",
  });

  const client = createClient({ baseUrl: BASE_URL, clientId, privateKey: keys.privateKeyPem });
  const { customerId } = await client.create(exampleBusiness());
  const documentId = await client.upload(customerId, {
    documentCategory: "CertificateOfIncorporation",
    contentType: "application/pdf",
    file: new Uint8Array(samplePdf()),
  });
  const isConfirmed = async () =>
    (await client.get(customerId)).documents.some(
      (one) => one.documentId === documentId && one.status === "Confirmed",
    );
  await poll(isConfirmed, { withinMs: WITHIN_MS, everyMs: 200, what: "the document to be confirmed" });
  say("journey: token, customer, upload, Confirmed");
  for (const type of EVENTS)
    await poll(async () => (await heard()).includes(`${type} verified`), { withinMs: WITHIN_MS, what: type });
  say(`journey: ${EVENTS.length} webhooks received and verified`);
}
