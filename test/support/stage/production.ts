/**
 * The whole system as production runs it, on this machine: secrets by the operator's command, settings of the production
 * overlay, NATS and MongoDB of the manifests, TLS everywhere. Other than there are only addresses, and there is no clamd.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { connectAdmin } from "../../../deploy/admin/connect.ts";
import { PROCESS_SECRETS } from "../../../deploy/admin/secrets/secret-plan.ts";
import type { Loose } from "../../../deploy/cluster/kustomize/objects.ts";
import { renderKustomization } from "../../../deploy/cluster/kustomize/render.ts";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import type { DemoData } from "../../../deploy/lib/demo-data.ts";
import { type MigrationPart, migrate } from "../../../deploy/lib/migrate.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { type S3Settings, s3Spec } from "../../../deploy/local/servers/s3.ts";
import { type PlatformProcess, PROCESS_NAMES } from "../../../deploy/local/services/service-env.ts";
import { serviceSpec } from "../../../deploy/local/services/service-process.ts";
import { STORAGE_USER } from "../../../deploy/nats/permissions.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { named, ofKind } from "../../manifests/checks/check.ts";
import { newPartner } from "../clients/accounts.ts";
import { startMongodSet } from "../servers/mongod-set.ts";
import { manifestsConf, startNatsCluster } from "../servers/nats-cluster.ts";
import { newSecretsDir, type SecretsDir } from "../servers/new-secrets-dir.ts";
import { openTestHost } from "../servers/test-host.ts";
import { waitFor } from "../wait-for.ts";

export type Production = Awaited<ReturnType<typeof startProduction>>;

export async function startProduction() {
  const secrets = await newSecretsDir();
  const { paths, host } = openTestHost("production");
  const ends: (() => Promise<void>)[] = [];
  const end = async () => {
    await closeHost(host);
    await Promise.all(ends.map((stop) => stop()));
  };
  const kept = async <T extends { end(): Promise<void> }>(server: Promise<T>): Promise<T> => {
    ends.push((await server).end);
    return server;
  };

  try {
    const [nats, mongods] = await Promise.all([
      kept(startNatsCluster({ conf: manifestsConf(), secretsDir: secrets.dir })),
      kept(startMongodSet(secrets)),
    ]);
    const overlay = renderKustomization(join(projectDir, "deploy/k8s/overlays/production"));
    const settings = ofKind(overlay, "ConfigMap").find(({ metadata }) =>
      /^settings/.test(metadata.name),
    )?.data;
    const [s3Port, port] = [await host.ports.take("s3"), await host.ports.take("gateway")];
    const s3: S3Settings = {
      port: s3Port,
      dir: paths.s3Dir,
      queueDir: paths.s3QueueDir,
      buckets: [settings.PBO_S3_BUCKET],
      accessKeyId: secrets.read("document/s3-access-key-id"),
      secretAccessKey: secrets.read("document/s3-secret-access-key"),
      natsUrl: nats.url.replace(
        "tls://",
        `tls://${STORAGE_USER}:${secrets.read(`nats/people/${STORAGE_USER}`)}@`,
      ),
      namespace: "",
      tls: { cert: secrets.read("tls/storage.crt"), key: secrets.read("tls/storage.key") },
    };
    writeFileSync(paths.s3SettingsFile, JSON.stringify(s3), { mode: 0o600 });
    const ca = secrets.read("ca/storage");
    await manageProcess(
      {
        ...s3Spec(s3Port, paths),
        env: childEnv({ NODE_EXTRA_CA_CERTS: join(secrets.dir, "ca/nats") }),
        isReady: () => refusesStrangers(`https://127.0.0.1:${s3Port}`, ca),
      },
      host,
    ).start();

    const here: Record<string, string> = {
      PBO_NATS_URL: nats.url,
      PBO_MONGODB_HOSTS: mongods.hosts,
      PBO_S3_ENDPOINT: `https://127.0.0.1:${s3Port}`,
      PBO_S3_PUBLIC_ENDPOINT: `https://127.0.0.1:${s3Port}`,
      PBO_S3_PATH_STYLE: "true",
      PBO_SCANNER_ADDRESS: "none",
      PBO_HOST: "127.0.0.1",
      PBO_PORT: String(port),
      PBO_OPS_HOST: "127.0.0.1",
      PBO_STOP_DELAY_MS: "0",
      // The most that production starts with: no test here is about limits.
      PBO_LIMIT_WRITES: "12000",
      PBO_REQUEST_TIMEOUT_MS: "15000",
      PBO_START_DEADLINE_MS: "110000",
    };
    const envOf = (container: Loose, secret: string): Record<string, string> => ({
      ...inPlace(settings, secrets),
      ...environmentOf(container, secret, secrets),
      ...here,
    });
    for (const container of named(overlay, "Job", "migrate")?.spec.template.spec.containers ?? []) {
      const part: MigrationPart = container.command.at(-1);
      const env = envOf(container, part === "streams" ? "migration" : part);
      await migrate(loadConfig("migration", env), { parts: [part] });
    }
    const start = async (name: PlatformProcess) => {
      const pod: Loose = named(overlay, "Deployment", name)?.spec.template.spec;
      const env = envOf(pod.containers[0], name);
      const opsPort = await host.ports.take(`ops-${name}`);
      const spec = serviceSpec(name, { env: childEnv(env), opsPort, watch: false });
      await manageProcess({ ...spec, readyWithinMs: 120_000 }, host).start();
    };
    await Promise.all(PROCESS_NAMES.filter((name) => name !== "gateway").map(start));
    await start("gateway");
    const baseUrl = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await fetch(`${baseUrl}/readyz`)).status === 200, "the gateway");

    const adminEnv = {
      PBO_NATS_URL: nats.url,
      PBO_NATS_CA_FILE: nats.caFile,
      PBO_NATS_USER: secrets.read("admin/nats-user"),
      PBO_NATS_PASSWORD: secrets.read("admin/nats-password"),
      PBO_REQUEST_TIMEOUT_MS: "20000",
    };
    const admin = await connectAdmin(adminEnv);
    mkdirSync(paths.demoDir, { recursive: true });
    const partner = await newPartner(admin.call, paths.demoDir).finally(() => admin.close());
    const demo: DemoData = {
      baseUrl,
      tokenUrl: `${baseUrl}/oauth2/token`,
      issuer: settings.PBO_BASE_URL,
      tls: { ca: "", cert: "", key: "" },
      partners: [partner],
      analysts: [],
    };
    return { demo, nats, mongods, ca, paths, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** As the kubelet makes it, with the files where this machine has them. */
function environmentOf(container: Loose, secret: string, secrets: SecretsDir): Record<string, string> {
  const files = PROCESS_SECRETS.find(({ name }) => name === secret)?.files ?? {};
  const locate = (value: string): string =>
    value.startsWith("/etc/pbo/secrets/")
      ? join(secrets.dir, files[value.replace("/etc/pbo/secrets/", "")] ?? "missing")
      : caOf(value, secrets);
  return Object.fromEntries(container.env.map(({ name, value }: Loose) => [name, locate(value)]));
}

const inPlace = (settings: Record<string, string>, secrets: SecretsDir): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, caOf(value, secrets)]));

const caOf = (value: string, { dir }: SecretsDir): string =>
  value.replace(/^\/etc\/pbo\/ca\/(\w+)\.crt$/, (_, server) => join(dir, "ca", server));

const refusesStrangers = (url: string, ca: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    get(url, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode === 403);
    }).once("error", reject);
  });
