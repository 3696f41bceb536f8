/**
 * The image on a Docker engine: seven containers (two gateways, five services), read-only and as nobody, serve a full
 * journey; a gateway ends under load without a failed request. Run by test/image/try-image.sh.
 */
import { strict as assert } from "node:assert";
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { signIn } from "../../deploy/lib/dashboard-session.ts";
import { newGatewayKeys } from "../../deploy/lib/gateway-keys.ts";
import { makePartnerKeys } from "../../deploy/local/secrets/partner-certificate.ts";
import { processEnv, SERVICE_NAMES } from "../../shared/config/config.ts";
import { aProfile } from "../support/builders/profile-builders.ts";
import { startLoad } from "../support/clients/balanced-load.ts";
import { partnerClient, put } from "../support/clients/partner-client.ts";
import { startReceiver } from "../support/servers/receiver.ts";
import {
  aTestNamespace,
  createTestBucket,
  TEST_SERVER_VARIABLES,
  testBucket,
} from "../support/servers/servers.ts";
import { startTestInfra } from "../support/servers/test-infra.ts";
import { waitFor } from "../support/wait-for.ts";
import { type Container, containerHost, docker, writeSecrets } from "./containers.ts";

const image = process.argv[2] ?? "partner-onboarding:local";
const LOAD_MS = 3_000;
const WORKERS = 8;
const say = (text: string) => console.log(text);

const infra = await startTestInfra();
const receiver = await startReceiver();
const namespace = aTestNamespace();
const { servers } = infra;
const env = processEnv();
env[TEST_SERVER_VARIABLES.mongodbUri] = servers.mongodbUri;
env[TEST_SERVER_VARIABLES.natsUrl] = servers.natsUrl;
env[TEST_SERVER_VARIABLES.s3Endpoint] = servers.s3.endpoint;
env[TEST_SERVER_VARIABLES.s3AccessKeyId] = servers.s3.accessKeyId;
env[TEST_SERVER_VARIABLES.s3SecretAccessKey] = servers.s3.secretAccessKey;
await createTestBucket(namespace);
const keys = await makePartnerKeys({ commonName: "Image Test Ltd" });
const gatewayKeys = newGatewayKeys();
const secrets = writeSecrets({
  "mongodb-uri": servers.mongodbUri,
  "field-keys": `k1:${randomBytes(32).toString("base64")}`,
  "gateway-private-key": gatewayKeys.privateKey,
  "gateway-public-keys": gatewayKeys.publicKey,
  "s3-access-key-id": servers.s3.accessKeyId,
  "s3-secret-access-key": servers.s3.secretAccessKey,
  "webhook-ca.crt": readFileSync(receiver.caFile, "utf8"),
  "partner.pem": keys.certificatePem,
  "partner.key": keys.privateKeyPem,
});
const issuer = "http://onboarding.example.com";
const host = containerHost({
  image,
  prefix: `pbo-${namespace}`,
  secrets,
  env: {
    PBO_ENV: "local",
    PBO_NAMESPACE: namespace,
    PBO_NATS_URL: servers.natsUrl,
    PBO_MONGODB_URI_FILE: "/etc/pbo/secrets/mongodb-uri",
    PBO_IDENTITY_KEYS_FILE: "/etc/pbo/secrets/field-keys",
    PBO_TOKEN_KEYS_FILE: "/etc/pbo/secrets/field-keys",
    PBO_WEBHOOK_KEYS_FILE: "/etc/pbo/secrets/field-keys",
    PBO_GATEWAY_PRIVATE_KEY_FILE: "/etc/pbo/secrets/gateway-private-key",
    PBO_GATEWAY_PUBLIC_KEYS_FILE: "/etc/pbo/secrets/gateway-public-keys",
    PBO_S3_ENDPOINT: servers.s3.endpoint,
    PBO_S3_BUCKET: testBucket(namespace),
    PBO_S3_PATH_STYLE: "true",
    PBO_S3_ACCESS_KEY_ID_FILE: "/etc/pbo/secrets/s3-access-key-id",
    PBO_S3_SECRET_ACCESS_KEY_FILE: "/etc/pbo/secrets/s3-secret-access-key",
    PBO_BASE_URL: issuer,
    PBO_HOST: "127.0.0.1",
    PBO_OPS_HOST: "127.0.0.1",
    PBO_WEBHOOK_CA_FILE: "/etc/pbo/secrets/webhook-ca.crt",
    PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
    PBO_LIMIT_WRITES: "1000000",
    PBO_LIMIT_READS: "1000000",
  },
});

try {
  const containers = await startContainers();
  const [first, second] = containers.filter(({ process }) => process === "gateway") as [Container, Container];
  await checkConfinement(containers);
  const { token, clientId } = await journey(first);
  say(`journey: done by client ${clientId}`);
  await endUnderLoad(first, second, token);
  for (const container of containers.filter(({ name }) => name !== first.name)) await checkStop(container);
  say("ok");
} finally {
  await host.removeAll();
  await receiver.close();
  await infra.stop();
  rmSync(secrets, { recursive: true });
}

async function startContainers(): Promise<Container[]> {
  await host.run(["deploy/admin/main.ts", "migrate"], {}, "--entrypoint", "node");
  say("migrated: streams and five databases, exit code 0");
  const services = await Promise.all(SERVICE_NAMES.map((name) => host.start(name)));
  await Promise.all(services.map(host.untilReady));
  const gateways = [await host.start("gateway", 1), await host.start("gateway", 2)];
  await Promise.all(gateways.map(host.untilReady));
  const systemReady = async () => (await fetch(`${gateways[0]?.httpUrl}/readyz`)).status === 200;
  await waitFor(systemReady, { timeoutMs: 60_000, what: "the system" });
  say(`running: ${[...services, ...gateways].length} containers`);
  return [...services, ...gateways];
}

async function checkConfinement(containers: readonly Container[]): Promise<void> {
  const script = `
    const fs = require("node:fs");
    const tried = ["/app/x", "/etc/x", "/x"].map((f) => { try { fs.writeFileSync(f, ""); return "written"; } catch (e) { return e.code; } });
    fs.writeFileSync("/tmp/x", "");
    console.log(JSON.stringify({ uid: process.getuid(), gid: process.getgid(), tried, one: fs.readFileSync("/proc/1/cmdline", "utf8").split("\\0")[0] }));`;
  for (const { name } of containers) {
    const seen = JSON.parse(await docker("exec", name, "node", "-e", script));
    assert.deepEqual(seen, { uid: 65532, gid: 65532, tried: ["EROFS", "EROFS", "EROFS"], one: "node" }, name);
  }
  say("confined: user 65532, the root file system is read-only, node is process 1");
}

/** Accounts by the operator's commands of the same image; then token, create, upload, webhook. */
async function journey({ httpUrl }: Container): Promise<{ token: string; clientId: string }> {
  const admin = async (line: string) => {
    const args = [...line.split(" "), "--operator", "test", "--json"];
    return JSON.parse(await host.run(["deploy/admin/main.ts", ...args], {}, "--entrypoint", "node"));
  };
  const { partnerId, clientId } = await admin("partner create --name Image-Test --approved");
  await admin(`certificate register --partner ${partnerId} --file /etc/pbo/secrets/partner.pem`);
  const email = "owner@image.example";
  const { password } = await admin(`user create --partner ${partnerId} --email ${email} --role Owner`);
  const owner = await signIn(httpUrl, { email, password });
  await owner.call("POST", "/customer/v1/partner-profile/webhooks", { url: receiver.url() });

  const [privateKeyFile, certificateFile] = [join(secrets, "partner.key"), join(secrets, "partner.pem")];
  const client = await partnerClient({
    baseUrl: httpUrl,
    tokenUrl: `${httpUrl}/oauth2/token`,
    issuer,
    partners: [{ partnerId, clientId, name: "", privateKeyFile, certificateFile, users: [] }],
  });
  const { customerId } = await client.create(aProfile());
  const link = await client.link(customerId);
  assert.equal((await put(link)).status, 200, "uploaded");
  await client.shown(customerId, link.documentId, "Confirmed");
  const types = () =>
    receiver.requests
      .map(({ body }) => JSON.parse(body))
      .filter(({ correlation }) => correlation.customerId === customerId)
      .map(({ eventType }) => eventType);
  for (const type of ["business.profile.created", "business.person.added", "business.document.confirmed"])
    await waitFor(() => types().includes(type), { timeoutMs: 60_000, what: `the webhook ${type}` });
  return { token: client.token, clientId };
}

async function endUnderLoad(first: Container, second: Container, token: string): Promise<void> {
  const load = startLoad(
    () => [first, second],
    () => token,
    WORKERS,
  );
  await waitFor(() => load.created.length > 50, { timeoutMs: 60_000, what: "the load" });
  const before = load.created.length;
  await checkStop(first);
  await new Promise((resolve) => setTimeout(resolve, LOAD_MS));
  await load.stop();
  assert.deepEqual(load.failures, [], "failed requests");
  assert.ok(load.created.length > before, "the other gateway went on");
  const heard = () =>
    new Set(
      receiver.requests.map(({ body }) => JSON.parse(body)).map(({ correlation }) => correlation.customerId),
    );
  await waitFor(() => load.created.every((id) => heard().has(id)), {
    timeoutMs: 120_000,
    everyMs: 500,
    what: "every event",
  });
  say(`under load: ${load.created.length} creates, 0 failed, every event delivered`);
}

async function checkStop(container: Container): Promise<void> {
  const { exitCode, seconds } = await host.stop(container);
  assert.equal(exitCode, 0, `${container.name} exited with ${exitCode}`);
  say(`stopped: ${container.process} in ${seconds.toFixed(1)} s with exit code 0`);
}
