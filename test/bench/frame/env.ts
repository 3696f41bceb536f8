/** What a benchmark gets: real servers, real processes, a load generator. All of it is stopped after its rounds. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import type * as migration from "../../../deploy/lib/migrate.ts";
import { projectDir, statePaths } from "../../../deploy/lib/paths.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { closeHost, openHost } from "../../../deploy/local/processes/host.ts";
import {
  type ManagedProcess,
  manageProcess,
  type ProcessSpec,
} from "../../../deploy/local/processes/managed-process.ts";
import type * as config from "../../../shared/config/config.ts";
import type { ProcessName } from "../../../shared/config/config.ts";
import { quietReport } from "../../support/quiet-report.ts";
import {
  aTestNamespace,
  type TestServers,
  testServerSettings,
  testServers,
} from "../../support/servers/servers.ts";
import { createHttpLoad, type HttpTarget } from "./http-load.ts";
import type { Workload } from "./spec.ts";

type ServiceOptions = {
  settings?: Readonly<Record<string, string>>;
};

type BenchService = {
  opsUrl: string;
  /** Of the gateway only. */
  url: string;
  stop(): Promise<void>;
  /** After a stop, at the same addresses. */
  start(): Promise<void>;
};

export type BenchEnv = {
  servers: TestServers;
  /** For files; removed at the end. */
  dir: string;
  /** Own databases, streams, subjects and nodes for this benchmark. */
  namespace: string;
  /** The PBO_ settings that every process of this benchmark gets. */
  settings: Readonly<Record<string, string>>;
  /** A module of the checkout that is measured: another one may speak otherwise on the bus. */
  product<T>(path: string): Promise<T>;
  /** A process of ours as it runs in production; resolves when its own readiness is 200. */
  startService(name: ProcessName, options?: ServiceOptions): Promise<BenchService>;
  /** Any script as a process of its own; resolves when the check says so. */
  startScript(file: URL, args: readonly string[], isReady: () => Promise<boolean>): Promise<void>;
  /** A server that only this benchmark needs. */
  startProgram(path: string, args: readonly string[], isReady: () => Promise<boolean>): Promise<void>;
  freePort(): Promise<number>;
  /** Load over HTTP, as what a workload or a floor runs. */
  http(target: HttpTarget): Workload["run"];
  /** What was opened last is closed first, before the processes stop; also after a setup that failed half-way. */
  onClose(close: () => unknown): void;
  /** Processes of another place, whose CPU counts, too. */
  meterToo(processes: BenchPlace["processes"]): void;
};

type BenchPlace = {
  env: BenchEnv;
  /** Not the servers of the run. */
  processes(): readonly Pick<ManagedProcess, "name" | "pid">[];
  close(): Promise<void>;
};

/** A busy machine starts slowly; nothing is measured meanwhile. */
const READY_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 15_000;

/** Benchmarks measure the work, not the limits. */
const NO_LIMITS = {
  PBO_LIMIT_READS: "100000000",
  PBO_LIMIT_WRITES: "100000000",
  PBO_LIMIT_TOKENS: "100000000",
};

/**
 * `productDir`: the checkout whose services are started; the load and the floors are always of this one. `nodeOptions`: of
 * each service's process.
 */
export function createEnv(
  productDir = projectDir,
  nodeOptions: (service: string) => readonly string[] = () => [],
): BenchPlace {
  const paths = statePaths(mkdtempSync(join(tmpdir(), "pbo-bench-")));
  const host = openHost(paths, quietReport, { temporary: true });
  const load = createHttpLoad();
  const closers: (() => unknown)[] = [];
  const metered: BenchPlace["processes"][] = [];
  const namespace = aTestNamespace();
  const { privateKey, publicKey } = newGatewayKeys();
  const settings = {
    ...testServerSettings(namespace),
    ...NO_LIMITS,
    PBO_STOP_DELAY_MS: "0",
    PBO_GATEWAY_PRIVATE_KEY: privateKey,
    PBO_GATEWAY_PUBLIC_KEYS: publicKey,
  };

  const keys = fieldKeys(productDir);
  /** Of each namespace, once. */
  const migrations = new Map<string, Promise<void>>();
  function migrated(own: Readonly<Record<string, string>>): Promise<void> {
    const PBO_NAMESPACE = own.PBO_NAMESPACE ?? namespace;
    const running =
      migrations.get(PBO_NAMESPACE) ?? migrateProduct(productDir, { ...settings, PBO_NAMESPACE });
    migrations.set(PBO_NAMESPACE, running);
    return running;
  }

  type Started = Pick<ProcessSpec, "name" | "args" | "isReady"> & Partial<ProcessSpec>;
  async function start(started: Started): Promise<ManagedProcess> {
    const { name } = started;
    const timing = { readyWithinMs: READY_WITHIN_MS, stopWithinMs: STOP_WITHIN_MS };
    const usual = { server: false, command: process.execPath, env: childEnv(), ...timing };
    const child = manageProcess({ ...usual, ...started }, host);
    try {
      await child.start();
    } catch (error) {
      throw new Error(`${name} did not start\n${lastLines(paths.logFile(name))}`, { cause: error });
    }
    return child;
  }

  const env: BenchEnv = {
    servers: testServers(),
    dir: paths.root,
    namespace,
    settings,
    freePort: () => freePort(),
    product: (path) => import(join(productDir, path)),
    onClose: (close) => void closers.push(close),
    meterToo: (processes) => void metered.push(processes),
    http: (target) => (window) => load.run(target, window),
    async startService(name, options = {}) {
      await migrated(options.settings ?? {});
      const [port, opsPort] = [await freePort(), await freePort()];
      const url = `http://127.0.0.1:${port}`;
      const opsUrl = `http://127.0.0.1:${opsPort}`;
      const folder = name === "gateway" ? "gateway" : `services/${name}`;
      const own = { PBO_PORT: String(port), PBO_OPS_PORT: String(opsPort), PBO_BASE_URL: url };
      const child = await start({
        name,
        args: [
          ...nodeOptions(name),
          join(productDir, "node_modules/moleculer/bin/moleculer-runner.js"),
          ...["--config", join(productDir, "moleculer.config.ts"), "--mask", "**/*.service.ts"],
          join(productDir, folder),
        ],
        env: childEnv(await knownTo(productDir, { ...settings, ...keys, ...own, ...options.settings })),
        isReady: () => answers200(`${opsUrl}/readyz`),
      });
      return { url, opsUrl, stop: child.stop, start: child.start };
    },
    async startScript(file, args, isReady) {
      await start({ name: `script-${host.processes.length}`, args: [file.pathname, ...args], isReady });
    },
    async startProgram(command, args, isReady) {
      const name = `program-${host.processes.length}`;
      await start({ name, server: true, command, args, isReady });
    },
  };

  return {
    env,
    processes: () => [...host.processes, ...metered.flatMap((processes) => processes())],
    async close() {
      const failures: unknown[] = [];
      for (const one of [load.close, ...closers].toReversed())
        try {
          await one();
        } catch (error) {
          failures.push(error);
        }
      await closeHost(host);
      rmSync(paths.root, { recursive: true, force: true });
      if (failures.length > 0) throw failures[0];
    },
  };
}

/** A process refuses to start with a setting that its version does not know. */
async function knownTo(dir: string, env: Record<string, string>): Promise<Record<string, string>> {
  const { SETTINGS } = (await import(join(dir, "shared/config/settings.ts"))) as {
    SETTINGS: Record<string, { env: string }>;
  };
  const known = new Set(Object.values(SETTINGS).map((row) => row.env));
  return Object.fromEntries(Object.entries(env).filter(([name]) => known.has(name)));
}

/** The checkout may be one whose services build their indexes themselves. */
async function migrateProduct(dir: string, settings: Record<string, string>): Promise<void> {
  const program = join(dir, "deploy/lib/migrate.ts");
  if (!existsSync(program)) return;
  const { migrate } = (await import(program)) as typeof migration;
  const { loadConfig } = (await import(join(dir, "shared/config/config.ts"))) as typeof config;
  await migrate(loadConfig("migration", await knownTo(dir, settings)));
}

export const answers200 = async (url: string): Promise<boolean> => (await fetch(url)).status === 200;

export const benchFile = (path: string): URL => new URL(`file://${join(projectDir, "test/bench", path)}`);

function lastLines(file: string): string {
  try {
    return readFileSync(file, "utf8").split("\n").slice(-20).join("\n");
  } catch {
    return "(no log)";
  }
}

/** The checkout may be one from before the field keys were parted into sets. */
function fieldKeys(productDir: string): Record<string, string> {
  const known = readFileSync(join(productDir, ".env.example"), "utf8");
  const sets = ["PBO_FIELD_KEYS", "PBO_IDENTITY_KEYS", "PBO_TOKEN_KEYS", "PBO_WEBHOOK_KEYS"];
  const key = `bench:${randomBytes(32).toString("base64")}`;
  return Object.fromEntries(sets.filter((name) => known.includes(`${name}=`)).map((name) => [name, key]));
}
