/** Two replicas of every process, each with a link of its own to every server it uses. */
import { keepDemoAccounts } from "../../../deploy/demo/accounts.ts";
import { writeDemoData } from "../../../deploy/lib/demo-data.ts";
import { keepDevCertificates } from "../../../deploy/lib/dev-ca.ts";
import { migrate } from "../../../deploy/lib/migrate.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { manageProcess, type ProcessSpec } from "../../../deploy/local/processes/managed-process.ts";
import { keepFieldKeys } from "../../../deploy/local/secrets/field-keys.ts";
import { type ServerAddresses, startServers } from "../../../deploy/local/servers/start-servers.ts";
import { envOf, type PlatformProcess, serviceEnv } from "../../../deploy/local/services/service-env.ts";
import { serviceSpec } from "../../../deploy/local/services/service-process.ts";
import { loadConfig } from "../../../shared/config/config.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { openTestHost } from "../../support/servers/test-host.ts";
import { LAB_LINKS, LAB_PROCESSES, type Server } from "./faults.rules.ts";

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

/** Processes are killed here on purpose. */
const SILENT = { say: () => {}, warn: () => {}, progress: () => {} };

export async function startLabStage() {
  const { paths, host } = openTestHost("lab", SILENT);
  const links = new Map<string, Link>();
  const stop = async () => {
    await closeHost(host);
    await Promise.all([...links.values()].map((link) => link.close()));
  };
  try {
    keepFieldKeys(paths);
    const tls = await keepDevCertificates(paths.tlsDir);
    const addresses = await startServers(host, { namespace: "", env: {} });
    for (const name of LAB_LINKS) links.set(name, await startLink(urlOf(addresses, name)));

    const ports = [await host.ports.take("gateway-1"), await host.ports.take("gateway-2")];
    const gateways = ports.map((port) => `http://127.0.0.1:${port}`);
    const baseUrl = gateways[0] ?? "";
    const specs = new Map<string, ProcessSpec>();
    const opsUrls = new Map<string, string>();
    for (const name of LAB_PROCESSES) {
      const opsPort = await host.ports.take(`ops-${name}`);
      opsUrls.set(name, `http://127.0.0.1:${opsPort}`);
      const port = ports[Number(name.at(-1)) - 1] ?? 0;
      const through = addressesThrough(addresses, (server) => links.get(`${name}>${server}`)?.url);
      const env = serviceEnv({ userEnv: SETTINGS, paths, addresses: through, tls, port, baseUrl });
      const spec = serviceSpec(name.slice(0, -2) as PlatformProcess, { env, opsPort, watch: false });
      specs.set(name, { ...spec, name });
    }
    const own = serviceEnv({ userEnv: SETTINGS, paths, addresses, tls, port: 0, baseUrl });
    await migrate(loadConfig("migration", envOf("migration", own)));
    const start = (name: string) => manageProcess(specs.get(name) as ProcessSpec, host).start();
    const isGateway = (name: string) => name.startsWith("gateway");
    await Promise.all(LAB_PROCESSES.filter((name) => !isGateway(name)).map(start));
    await Promise.all(LAB_PROCESSES.filter(isGateway).map(start));
    const demo = writeDemoData(paths.demoFile, baseUrl, tls, await keepDemoAccounts(own, paths));
    return {
      demo,
      addresses,
      paths,
      gateways,
      opsUrls,
      link: (name: string) => known(links.get(name), name),
      process: (name: string) =>
        known(
          host.processes.find((process) => process.name === name),
          name,
        ),
      /** The settings that the process is started with from now on. */
      envOf: (name: string) => known(specs.get(name), name).env,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
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
