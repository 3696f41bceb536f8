/**
 * Two replicas of every process, each with a link of its own to every server it uses: one of each server, or a cluster.
 * With another checkout the second replicas run its code.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keepDemoAccounts } from "../../../deploy/demo/accounts.ts";
import { writeDemoData } from "../../../deploy/lib/demo-data.ts";
import { migrate } from "../../../deploy/lib/migrate.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess, type ProcessSpec } from "../../../deploy/local/processes/managed-process.ts";
import { keepFieldKeys } from "../../../deploy/local/secrets/field-keys.ts";
import { type ServerAddresses, startServers } from "../../../deploy/local/servers/start-servers.ts";
import { envOf, type PlatformProcess, serviceEnv } from "../../../deploy/local/services/service-env.ts";
import { serviceSpec } from "../../../deploy/local/services/service-process.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { createTestAuthority } from "../../support/builders/certificates.ts";
import { startDnsServer } from "../../support/servers/dns-server.ts";
import { type Link, startLink, type Wire } from "../../support/servers/link.ts";
import { openTestHost } from "../../support/servers/test-host.ts";
import { startCluster } from "./cluster.ts";
import { LAB_LINKS, LAB_PROCESSES, type Server, type StageKind } from "./faults.rules.ts";
import { startStorageFront } from "./storage-front.ts";

export type LabStage = Awaited<ReturnType<typeof startLabStage>>;

/** Abandoned work is taken up soon, and a retry is due within the time of a recovery. */
const SETTINGS = {
  // Above the interval in which a balancer asks, as preStop and stop delay are in a cluster.
  PBO_STOP_DELAY_MS: "1000",
  // A busy machine must not matter.
  PBO_START_DEADLINE_MS: "170000",
  PBO_DELIVERY_LEASE_MS: "5000",
  PBO_OUTBOX_SWEEP_MS: "500",
  PBO_OUTBOX_RECONCILE_MS: "5000",
  PBO_DELIVERY_RETRY_SCHEDULE: "0,1,2,3,4,5,6,7",
  PBO_WEBHOOK_TIMEOUT_MS: "3000",
  PBO_PASSWORD_MEMORY_KIB: "64",
};

/** A name that only the stage's own name server has. */
export const RECEIVER_NAME = "receiver.example.com";

/** Processes are killed here on purpose. */
const SILENT = { say: () => {}, warn: () => {}, progress: () => {} };

export type StageOptions = {
  kind?: StageKind;
  /** The folder of another checkout, with its node_modules. */
  other?: string | undefined;
};

export async function startLabStage({ kind = "single", other }: StageOptions = {}) {
  const { paths, host } = openTestHost("lab", SILENT);
  const links = new Map<string, Link>();
  const ends: (() => Promise<void>)[] = [];
  const stop = async () => {
    await closeHost(host);
    await Promise.all([...links.values()].map((link) => link.close()));
    for (const end of ends) await end();
  };
  const kept = async <T extends { close(): Promise<void> }>(started: Promise<T>): Promise<T> => {
    ends.push((await started).close);
    return started;
  };
  try {
    keepFieldKeys(paths);
    const { tls, expired } = await newCertificates(paths.tlsDir);
    const dns = await kept(startDnsServer());
    dns.set(RECEIVER_NAME, ["127.0.0.1"]);
    const cluster = kind === "cluster" ? await kept(startCluster(host)) : null;
    const env = cluster ? { PBO_MONGODB_URI: cluster.mongodbUri, PBO_NATS_URL: cluster.natsUrl } : {};
    const addresses = await startServers(host, { namespace: "", env });
    const storage = await kept(startStorageFront(addresses.s3.endpoint));
    const behindFront = { ...addresses, s3: { ...addresses.s3, endpoint: storage.url } };
    // The members of a cluster have addresses that all processes share.
    const isOwn = (name: string) => !cluster || name.endsWith(">s3");
    for (const name of LAB_LINKS.filter(isOwn)) links.set(name, await startLink(urlOf(behindFront, name)));
    const settings = {
      ...SETTINGS,
      PBO_WEBHOOK_CA_FILE: tls.ca,
      PBO_WEBHOOK_DNS_SERVERS: dns.address,
      ...(cluster ? { PBO_STREAM_REPLICAS: "3" } : {}),
    };
    const asUser = cluster?.envOf();

    const ports = [await host.ports.take("gateway-1"), await host.ports.take("gateway-2")];
    const gateways = ports.map((port) => `http://127.0.0.1:${port}`);
    const baseUrl = gateways[0] ?? "";
    const specs = new Map<string, ProcessSpec>();
    const versions = new Map<string, ProcessSpec[]>();
    const versionOf = (name: string, at: number) => {
      const all = known(versions.get(name), name);
      return known(all[at % all.length], name);
    };
    const opsUrls = new Map<string, string>();
    for (const name of LAB_PROCESSES) {
      const opsPort = await host.ports.take(`ops-${name}`);
      opsUrls.set(name, `http://127.0.0.1:${opsPort}`);
      const port = ports[Number(name.at(-1)) - 1] ?? 0;
      const through = addressesThrough(addresses, (server) => links.get(`${name}>${server}`)?.url);
      const given = { ...through, mongodbUri: asUser?.mongod.PBO_MONGODB_URI ?? through.mongodbUri };
      const userEnv = { ...settings, ...asUser?.nats };
      const env = serviceEnv({ userEnv, paths, addresses: given, tls, port, baseUrl });
      const spec = serviceSpec(name.slice(0, -2) as PlatformProcess, { env, opsPort, watch: false });
      versions.set(name, [{ ...spec, name }, ...(other ? [inCheckout({ ...spec, name }, other)] : [])]);
      specs.set(name, { ...versionOf(name, name.endsWith("-2") ? 1 : 0) });
    }
    const own = serviceEnv({ userEnv: settings, paths, addresses, tls, port: 0, baseUrl });
    const migrateAll = async () => void (await migrate(loadConfig("migration", envOf("migration", own))));
    await migrateAll();
    const start = (name: string) => manageProcess(specs.get(name) as ProcessSpec, host).start();
    const isGateway = (name: string) => name.startsWith("gateway");
    await Promise.all(LAB_PROCESSES.filter((name) => !isGateway(name)).map(start));
    await Promise.all(LAB_PROCESSES.filter(isGateway).map(start));
    const demo = writeDemoData(paths.demoFile, baseUrl, tls, await keepDemoAccounts(own, paths));
    const process = (name: string) =>
      known(
        host.processes.find((one) => one.name === name),
        name,
      );
    return {
      demo,
      addresses,
      paths,
      gateways,
      opsUrls,
      cluster,
      storage,
      dns,
      /** An expired certificate of the authority that the processes trust. */
      expired,
      migrate: migrateAll,
      natsDirOf: (server: string) => cluster?.dirOf(server) ?? paths.natsDir,
      wires(name: string): Wire[] {
        const link = links.get(name);
        return link ? [link] : (cluster?.wires(name) ?? []);
      },
      process,
      async restart(name: string): Promise<void> {
        await process(name).stop();
        await process(name).start();
      },
      /** The settings that the process is started with from now on. */
      envOf: (name: string) => known(specs.get(name), name).env,
      /** Whichever of the versions it runs. */
      setEnv(name: string, settings: Record<string, string>): void {
        for (const { env } of known(versions.get(name), name)) Object.assign(env, settings);
      },
      /** From its next start on it runs the code of the other checkout, if there is one. */
      switchVersion(name: string): void {
        const spec = known(specs.get(name), name);
        const isFirst = spec.command === versionOf(name, 0).command;
        Object.assign(spec, versionOf(name, isFirst ? 1 : 0));
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function newCertificates(dir: string) {
  const { caFile, issue } = await createTestAuthority();
  const names = [RECEIVER_NAME];
  const { cert, key } = await issue({ names });
  const tls = { ca: caFile, cert: join(dir, "cert.pem"), key: join(dir, "key.pem") };
  mkdirSync(dir, { recursive: true });
  writeFileSync(tls.cert, cert);
  writeFileSync(tls.key, key, { mode: 0o600 });
  return { tls, expired: await issue({ names, notAfter: new Date(Date.now() - 60_000) }) };
}

/** A shell changes the folder and becomes the process. Settings that the other version does not have are left out. */
function inCheckout({ command, args, env, ...spec }: ProcessSpec, dir: string): ProcessSpec {
  const settings = readFileSync(join(dir, "shared/config/settings.ts"), "utf8");
  const isKnown = (name: string) => !name.startsWith("PBO_") || settings.includes(name.replace(/_FILE$/, ""));
  return {
    ...spec,
    command: "/bin/sh",
    args: [
      "-c",
      'cd "$0" && exec "$@"',
      dir,
      command,
      ...args.map((arg) => arg.replace(projectDir, `${dir}/`)),
    ],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => isKnown(name))),
  };
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`There is no ${name} on this stage.`);
  return found;
}

function urlOf({ mongodbUri, natsUrl, s3 }: ServerAddresses, link: string): string {
  const server = link.split(">")[1] as Server;
  return { mongod: mongodbUri, nats: natsUrl, s3: s3.endpoint }[server];
}

function addressesThrough(
  direct: ServerAddresses,
  by: (server: Server) => string | undefined,
): ServerAddresses {
  return {
    mongodbUri: by("mongod") ?? direct.mongodbUri,
    natsUrl: by("nats") ?? direct.natsUrl,
    s3: { ...direct.s3, endpoint: (by("s3") ?? direct.s3.endpoint).replace(/\/$/, "") },
  };
}
