/** The whole system on one machine: servers, gateway and services as separate, supervised processes. */
import { loadConfig, SERVICE_NAMES } from "../../shared/config/config.ts";
import { keepDemoAccounts } from "../demo/accounts.ts";
import { makeDemoData } from "../demo/make-demo-data.ts";
import { type DemoData, writeDemoData } from "../lib/demo-data.ts";
import { keepDevCertificates } from "../lib/dev-ca.ts";
import { migrate } from "../lib/migrate.ts";
import { createStateDirs, type StatePaths, statePaths } from "../lib/paths.ts";
import { poll } from "./poll.ts";
import { isFree, type Ports } from "./ports.ts";
import { closeHost, killHost, openHost } from "./processes/host.ts";
import { type ManagedProcess, manageProcess, type ProcessHost } from "./processes/managed-process.ts";
import { stopOrphans } from "./processes/pid-files.ts";
import type { Report } from "./report.ts";
import { type RunLock, takeRunLock } from "./run-lock.ts";
import { keepFieldKeys } from "./secrets/field-keys.ts";
import { type ServerAddresses, startServers } from "./servers/start-servers.ts";
import {
  checkUserSettings,
  envOf,
  type PlatformProcess,
  readSecretFiles,
  serviceEnv,
} from "./services/service-env.ts";
import { serviceSpec } from "./services/service-process.ts";

export type PlatformOptions = {
  stateDir: string;
  /** The user's settings. */
  env: Record<string, string | undefined>;
  report: Report;
  watch?: boolean;
  /** Requests are counted against the limits of production. */
  realLimits?: boolean;
  /** Number of demo customers, with reviews and deliveries, made at the first start that asks for them. */
  demoCustomers?: number;
  /** For tests: the state directory is removed when the platform ends. */
  temporary?: boolean;
};

export type RunningPlatform = { baseUrl: string; addresses: ServerAddresses; demo: DemoData };

export type Platform = {
  paths: StatePaths;
  start(): Promise<RunningPlatform>;
  /** May be called during a start, which then fails. */
  stop(): Promise<void>;
  /** Kills all processes immediately, in no order. */
  kill(): void;
  process(name: string): ManagedProcess;
};

const DEFAULT_PORT = 3000;
const READY_WITHIN_MS = 180_000;
const ANSWER_WITHIN_MS = 5_000;

export function createPlatform(options: PlatformOptions): Platform {
  const paths = statePaths(options.stateDir);
  let host: ProcessHost | null = null;
  let lock: RunLock | null = null;
  return {
    paths,
    async start() {
      const env = readSecretFiles(options.env);
      checkUserSettings(env);
      createStateDirs(paths);
      lock = takeRunLock(paths.lockFile);
      for (const name of await stopOrphans(paths.runDir))
        options.report.warn(`Stopped ${name}, left behind by an earlier start`);
      host = openHost(paths, options.report, { temporary: options.temporary ?? false });
      const running = await startAll({ ...options, env }, host);
      lock.announce(running.baseUrl);
      return running;
    },
    async stop() {
      if (host) await closeHost(host);
      lock?.release();
    },
    kill() {
      if (host) killHost(host);
      lock?.release();
    },
    process(name) {
      const found = host?.processes.find((process) => process.name === name);
      if (!found) throw new Error(`There is no process named ${name}.`);
      return found;
    },
  };
}

async function startAll(options: PlatformOptions, host: ProcessHost): Promise<RunningPlatform> {
  const { env, report, watch = false, realLimits = false, demoCustomers: customers = 0 } = options;
  const { paths, ports } = host;
  const port = await gatewayPort(env.PBO_PORT, env.PBO_HOST, ports);
  const baseUrl = env.PBO_BASE_URL || `http://localhost:${port}`;
  keepFieldKeys(paths);
  const tls = await keepDevCertificates(paths.tlsDir);

  report.say("Servers");
  const addresses = await startServers(host, { namespace: env.PBO_NAMESPACE ?? "", env });
  const common = serviceEnv({ userEnv: env, paths, addresses, tls, port, baseUrl, realLimits });
  report.say("Migrations");
  await migrate(loadConfig("migration", envOf("migration", common)), {
    report: (text) => report.say(`  ${text}`),
  });
  report.say("Services");
  const startService = async (name: PlatformProcess) => {
    const opsPort = await ports.take(`ops-${name}`);
    await manageProcess(serviceSpec(name, { env: common, opsPort, watch }), host).start();
    report.say(`  ${name.padEnd(18)}metrics and health: http://127.0.0.1:${opsPort}`);
  };
  await Promise.all(SERVICE_NAMES.map(startService));
  // Last, so that it finds the services and logs no warnings.
  await startService("gateway");
  await untilReady(`http://127.0.0.1:${port}`, host);
  const accounts = await keepDemoAccounts(envOf("admin", common), paths);
  const demo = writeDemoData(paths.demoFile, baseUrl, tls, accounts);
  if (customers > 0) await makeDemoData({ demo, env: common, report, customers });
  return { baseUrl, addresses, demo };
}

async function gatewayPort(
  wanted: string | undefined,
  address: string | undefined,
  ports: Ports,
): Promise<number> {
  const port = Number(wanted || DEFAULT_PORT);
  if (port === 0) return ports.take("gateway");
  if (await isFree(port, address || "127.0.0.1")) return port;
  throw new Error(
    `Port ${port} is in use by another program. Set PBO_PORT to a free port, or to 0 to have one chosen.`,
  );
}

/** Asks the gateway, as a client would. */
async function untilReady(url: string, host: ProcessHost): Promise<void> {
  let answer = "";
  await poll(
    async () => {
      const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      answer = await response.text();
      return response.status === 200;
    },
    {
      withinMs: READY_WITHIN_MS,
      everyMs: 100,
      what: "the system to be ready",
      giveUp: () => (host.closing ? "it was stopped" : null),
    },
  ).catch((error: Error) => {
    throw new Error(`${error.message}; the gateway's last word was ${answer || "nothing"}`);
  });
}
