/** Paths of the embedded platform's state and downloads. */
import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { processEnv } from "../../shared/config/config.ts";

export const projectDir = fileURLToPath(new URL("../../", import.meta.url));

/** Where `npm start` keeps its state, and its companions look for it, unless --state says otherwise. */
export const defaultStateDir = (env = processEnv()): string =>
  env.PBO_TEST_STATE_DIR || join(projectDir, ".local");

export type StatePaths = ReturnType<typeof statePaths>;

/** All state is below one directory; removing it gives a clean start. */
export function statePaths(dir: string) {
  const root = resolve(dir);
  return {
    root,
    runDir: join(root, "run"),
    logDir: join(root, "logs"),
    tlsDir: join(root, "tls"),
    mongodDir: join(root, "mongodb"),
    natsDir: join(root, "nats"),
    s3Dir: join(root, "s3"),
    s3QueueDir: join(root, "s3-events"),
    lockFile: join(root, "run", "platform.json"),
    portsFile: join(root, "ports.json"),
    gatewayKeyFile: join(root, "gateway-key"),
    s3SettingsFile: join(root, "s3.json"),
    natsConfigFile: join(root, "nats.conf"),
    demoFile: join(root, "demo.json"),
    demoDir: join(root, "demo"),
    receiverSecretsFile: join(root, "receiver-secrets.json"),
    logFile: (name: string) => join(root, "logs", `${name}.log`),
    pidFile: (name: string) => join(root, "run", `${name}.pid`),
  };
}

export function createStateDirs(paths: StatePaths): void {
  mkdirSync(paths.root, { recursive: true, mode: 0o700 });
  for (const dir of [
    paths.runDir,
    paths.logDir,
    paths.mongodDir,
    paths.natsDir,
    paths.s3Dir,
    paths.s3QueueDir,
  ])
    mkdirSync(dir, { recursive: true });
}

/** Outside node_modules, so that `npm ci` keeps the downloads. */
export function cacheDir(env = processEnv()): string {
  const base = env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache");
  const dir = join(base, "partner-onboarding");
  mkdirSync(dir, { recursive: true });
  return dir;
}

/** The local mongod is a replica set of one member. */
export const MONGOD_SET = "pbo";
export const mongodUri = (port: number): string => `mongodb://127.0.0.1:${port}/?replicaSet=${MONGOD_SET}`;

/** Address of the local NATS server. */
export const natsUrl = (port: number): string => `nats://127.0.0.1:${port}`;
