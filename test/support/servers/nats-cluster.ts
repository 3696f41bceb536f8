/** The NATS cluster of the manifests on this machine: their nats.conf, with places and addresses of this machine. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { runCommand } from "../../../deploy/local/archives/run-command.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import { type ManagedProcess, manageProcess } from "../../../deploy/local/processes/managed-process.ts";
import { findNatsServer } from "../../../deploy/local/servers/nats-binary.ts";
import { NATS, NATS_ROUTES } from "../../../deploy/nats/server-config.ts";
import { quietReport } from "../quiet-report.ts";
import { openTestHost } from "./test-host.ts";

export type NatsCluster = Awaited<ReturnType<typeof startNatsCluster>>;

export const manifestsConf = (): string =>
  readFileSync(join(projectDir, "deploy/k8s/nats/nats.conf"), "utf8");

type Given = {
  /** nats.conf as the manifests or the chart have it. */
  conf: string;
  /** The output of `secrets new --certificates --to-directory`. */
  secretsDir: string;
  /** In place of the accounts of the secrets; an empty text allows everything to any client. */
  accounts?: string;
  /** False: a message is acknowledged before it is on the disk, whatever the configuration says. */
  synced?: boolean;
};
type Place = { dir: string; ports: { client: number; routes: number; monitor: number } };

const READY_WITHIN_MS = 200_000;

export async function startNatsCluster(given: Given) {
  const { paths, host } = openTestHost("nats-cluster");
  const program = await findNatsServer(quietReport);
  const conf = await understoodBy(program, given);
  const places: Place[] = [];
  for (let index = 0; index < NATS.servers; index += 1)
    places.push({
      dir: join(paths.root, `server-${index}`),
      ports: {
        client: await host.ports.take(`client-${index}`),
        routes: await host.ports.take(`routes-${index}`),
        monitor: await host.ports.take(`monitor-${index}`),
      },
    });
  const servers = places.map((place, index) => {
    writePlace(place, onThisMachine(conf, place, places), given);
    return manageProcess(spec(program, index, place), host);
  });
  await Promise.all(servers.map((server) => server.start())).catch(async (error) => {
    await closeHost(host);
    throw error;
  });

  return {
    url: places.map(({ ports }) => `tls://127.0.0.1:${ports.client}`).join(","),
    caFile: join(given.secretsDir, "ca/nats"),
    processes: servers,
    log: () => servers.map(({ name }) => readFileSync(paths.logFile(name), "utf8")).join("\n"),
    routes: () => Promise.all(places.map(({ ports }) => routesOf(ports.monitor))),
    /** The name of the server that leads a stream, as the server with this index has it. */
    leaderOf: (account: string, stream: string, asked = 0) =>
      leaderOf(places[asked]?.ports.monitor ?? 0, account, stream),
    /** Stops one as a lost machine would, for good. */
    async kill(index: number): Promise<void> {
      const server = servers[index] as ManagedProcess;
      server.kill("SIGKILL");
      await server.stop();
    },
    accounts: () => readFileSync(accountsFile(places[0] as Place), "utf8"),
    /** As the reloader does it when the secret has changed. */
    changeAccounts(accounts: string): void {
      for (const [index, place] of places.entries()) {
        writeFileSync(accountsFile(place), accounts);
        servers[index]?.kill("SIGHUP");
      }
    },
    end: () => closeHost(host),
  };
}

const accountsFile = ({ dir }: Place): string => join(dir, "nats-accounts", "accounts.conf");

/** As the pod mounts them: the accounts beside the folder of the configuration. */
function writePlace(place: Place, conf: string, { secretsDir, accounts }: Given): void {
  for (const folder of ["nats-config", "nats-accounts", "nats-certs", "data"])
    mkdirSync(join(place.dir, folder), { recursive: true });
  writeFileSync(join(place.dir, "nats-config", "nats.conf"), conf);
  writeFileSync(accountsFile(place), accounts ?? readFileSync(join(secretsDir, "nats/accounts.conf")));
  const certificates = { "tls.crt": "tls/nats.crt", "tls.key": "tls/nats.key", "ca.crt": "ca/nats" };
  for (const [file, entry] of Object.entries(certificates))
    copyFileSync(join(secretsDir, entry), join(place.dir, "nats-certs", file));
}

/** Only folders, ports and hosts are replaced. Each of them must be present. */
function onThisMachine(conf: string, { dir, ports }: Place, all: readonly Place[]): string {
  const replacements: [pattern: RegExp, by: string][] = [
    [/(\/etc\/nats-certs\/(nats|cluster)|\/etc\/nats-ca-cert|\/etc\/nats-certs)\//g, `${dir}/nats-certs/`],
    [/"\/data"/g, JSON.stringify(join(dir, "data"))],
    [/"\/var\/run\/nats\//g, `"${dir}/`],
    // In a pod they listen on all of its addresses.
    [/("?)port"?: 4222\b/g, `$1host$1: "127.0.0.1", $1port$1: ${ports.client}`],
    [/("?)port"?: 6222\b/g, `$1host$1: "127.0.0.1", $1port$1: ${ports.routes}`],
    [/: 8222\b/g, `: ${ports.monitor}`],
    ...NATS_ROUTES.map((route, index): [RegExp, string] => [
      new RegExp(route.replaceAll(".", "\\."), "g"),
      `tls://127.0.0.1:${all[index]?.ports.routes}`,
    ]),
  ];
  return replacements.reduce((text, [pattern, by]) => {
    if (!pattern.test(text)) throw new Error(`nats.conf has no ${pattern}`);
    return text.replaceAll(pattern, by);
  }, conf);
}

/** Debian's 2.9 does not know the one setting and refuses to start on it. */
async function understoodBy(program: string, { conf, synced }: Given): Promise<string> {
  const { stdout } = await runCommand(program, ["--version"], { withinMs: 20_000 });
  const [version = "", minor = ""] = /v2\.(\d+)\.\d+/.exec(stdout) ?? [];
  const canSync = Number(minor) >= 10;
  if (synced && !canSync) throw new Error(`nats-server ${version} cannot sync every write; 2.10 can`);
  return canSync && synced !== false ? conf : conf.replace(/,?\s*"?sync_interval"?: "always"/, "");
}

const spec = (program: string, index: number, { dir, ports }: Place) => ({
  name: `${NATS.service}-${index}`,
  server: true,
  command: program,
  args: ["--config", join(dir, "nats-config", "nats.conf")],
  env: childEnv({ SERVER_NAME: `${NATS.service}-${index}` }),
  isReady: () => isHealthy(ports.monitor),
  readyWithinMs: READY_WITHIN_MS,
  stopWithinMs: 5_000,
});

const monitor = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) });

/** By the readiness probe of the manifests, or by another. */
export async function isHealthy(port: number, probe = "js-server-only"): Promise<boolean> {
  const response = await monitor(port, `/healthz?${probe}=true`);
  await response.body?.cancel();
  return response.status === 200;
}

async function routesOf(port: number): Promise<number> {
  const { num_routes } = (await (await monitor(port, "/routez")).json()) as { num_routes: number };
  return num_routes;
}

export async function metaLeaderOf(port: number): Promise<string> {
  const { meta_cluster } = (await (await monitor(port, "/jsz")).json()) as {
    meta_cluster?: { leader?: string };
  };
  return meta_cluster?.leader ?? "";
}

export async function leaderOf(port: number, account: string, stream: string): Promise<string> {
  const answer = await monitor(port, `/jsz?acc=${account}&streams=true`);
  const { account_details = [] } = (await answer.json()) as {
    account_details?: { stream_detail?: { name: string; cluster?: { leader?: string } }[] }[];
  };
  const streams = account_details.flatMap(({ stream_detail = [] }) => stream_detail);
  return streams.find(({ name }) => name === stream)?.cluster?.leader ?? "";
}
