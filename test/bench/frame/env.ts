/** Real servers, real processes and a load generator for a benchmark. All of it is stopped after its rounds. */
import { randomBytes } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import type * as migration from "../../../deploy/lib/migrate.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { closeHost } from "../../../deploy/local/processes/host.ts";
import {
  type ManagedProcess,
  manageProcess,
  type ProcessSpec,
} from "../../../deploy/local/processes/managed-process.ts";
import type * as config from "../../../shared/config/config.ts";
import type { ProcessName } from "../../../shared/config/config.ts";
import { aTestNamespace, testServerSettings, testServers } from "../../support/servers/servers.ts";
import { openTestHost } from "../../support/servers/test-host.ts";
import { createHttpLoad, type HttpTarget } from "./http-load.ts";
import type { Workload } from "./spec.ts";

type Settings = Readonly<Record<string, string>>;
type Processes = () => readonly Pick<ManagedProcess, "name" | "pid">[];
type IsReady = () => Promise<boolean>;

export type BenchEnv = ReturnType<typeof createEnv>["env"];

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
) {
  const { paths, host } = openTestHost("bench");
  const load = createHttpLoad();
  const closers: (() => unknown)[] = [];
  const metered: Processes[] = [];
  const namespace = aTestNamespace();
  const { privateKey, publicKey } = newGatewayKeys();
  const settings: Settings = {
    ...testServerSettings(namespace),
    ...NO_LIMITS,
    PBO_STOP_DELAY_MS: "0",
    PBO_GATEWAY_PRIVATE_KEY: privateKey,
    PBO_GATEWAY_PUBLIC_KEYS: publicKey,
  };

  const key = `bench:${randomBytes(32).toString("base64")}`;
  const keys = { PBO_IDENTITY_KEYS: key, PBO_TOKEN_KEYS: key, PBO_WEBHOOK_KEYS: key };
  /** A namespace is migrated once. */
  const migrations = new Map<string, Promise<void>>();
  function migrated(own: Settings): Promise<void> {
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

  const env = {
    servers: testServers(),
    dir: paths.root,
    /** Own databases, streams, subjects and nodes for this benchmark. */
    namespace,
    /** The PBO_ settings that every process of this benchmark gets. */
    settings,
    freePort: () => freePort(),
    /** A module of the checkout that is measured: another one may speak otherwise on the bus. */
    product: <T>(path: string): Promise<T> => import(join(productDir, path)),
    /** The last opened is closed first, before the processes stop; also after a setup that failed half-way. */
    onClose: (close: () => unknown) => void closers.push(close),
    /** Processes of another place, whose CPU counts, too. */
    meterToo: (processes: Processes) => void metered.push(processes),
    http:
      (target: HttpTarget): Workload["run"] =>
      (window) =>
        load.run(target, window),
    /** A process of ours as it runs in production; resolves when its own readiness is 200. After a stop it starts at the same addresses. */
    async startService(name: ProcessName, options: { settings?: Settings } = {}) {
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
      return { url, stop: child.stop, start: child.start };
    },
    /** Any script as a process of its own, whose role is the file's name; resolves when the check says so. */
    async startScript(file: URL, args: readonly string[], isReady: IsReady): Promise<void> {
      const name = `${basename(file.pathname, ".ts")}-${host.processes.length}`;
      await start({ name, args: [file.pathname, ...args], isReady });
    },
    /** A server that only this benchmark needs. */
    async startProgram(
      role: string,
      command: string,
      args: readonly string[],
      isReady: IsReady,
    ): Promise<void> {
      await start({ name: `${role}-${host.processes.length}`, server: true, command, args, isReady });
    },
  };

  return {
    env,
    processes: (): ReturnType<Processes> => [
      ...host.processes,
      ...metered.flatMap((processes) => processes()),
    ],
    async close(): Promise<void> {
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

async function migrateProduct(dir: string, settings: Record<string, string>): Promise<void> {
  const { migrate } = (await import(join(dir, "deploy/lib/migrate.ts"))) as typeof migration;
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
