/** Settings of the gateway and the services: the user's, with local values for the rest. */
import { existsSync, readFileSync } from "node:fs";
import {
  ConfigError,
  loadConfig,
  type ProcessName,
  SERVICE_NAMES,
  SETTINGS,
  type Setting,
} from "../../../shared/config/config.ts";
import { childEnv } from "../../lib/child-env.ts";
import type { TlsFiles } from "../../lib/dev-ca.ts";
import { keepGatewayKeys, newGatewayKeys } from "../../lib/gateway-keys.ts";
import type { StatePaths } from "../../lib/paths.ts";
import { fieldKeyFiles } from "../secrets/field-keys.ts";
import type { ServerAddresses } from "../servers/start-servers.ts";

export const PROCESS_NAMES = ["gateway", ...SERVICE_NAMES] as const satisfies readonly ProcessName[];
export type PlatformProcess = (typeof PROCESS_NAMES)[number];

type Env = Record<string, string | undefined>;

type Given = {
  userEnv: Env;
  paths: StatePaths;
  addresses: ServerAddresses;
  tls: TlsFiles;
  port: number;
  baseUrl: string;
  /** `npm start -- --real-limits`. */
  realLimits?: boolean;
};

/** Benchmarks, tests and demo data would exceed the real rate limits. */
const LIMIT_FACTOR = 1_000;

export function serviceEnv(given: Given): Record<string, string> {
  const { userEnv, paths, addresses, tls, port, baseUrl, realLimits = false } = given;
  const gatewayKeys = keepGatewayKeys(paths.gatewayKeyFile);
  const user = userSettings(userEnv);
  const { s3 } = addresses;
  return {
    ...childEnv(),
    ...(realLimits ? {} : raisedLimits()),
    PBO_HOST: "127.0.0.1",
    PBO_OPS_HOST: "127.0.0.1",
    PBO_STOP_DELAY_MS: "100",
    PBO_WEBHOOK_CA_FILE: tls.ca,
    PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
    PBO_SECOND_FACTOR: "none",
    PBO_FRESH_SIGN_IN_MINUTES: "0",
    ...without(fieldKeyFiles(paths), (file) => Boolean(user[file.replace(/_FILE$/, "")])),
    PBO_GATEWAY_PRIVATE_KEY: gatewayKeys.privateKey,
    PBO_GATEWAY_PUBLIC_KEYS: gatewayKeys.publicKey,
    PBO_STORAGE_ORIGIN: new URL(user.PBO_S3_PUBLIC_ENDPOINT || s3.endpoint).origin,
    ...user,
    PBO_ENV: "local",
    PBO_MONGODB_URI: addresses.mongodbUri,
    PBO_NATS_URL: addresses.natsUrl,
    PBO_S3_ENDPOINT: s3.endpoint,
    PBO_S3_REGION: s3.region,
    PBO_S3_BUCKET: s3.bucket,
    PBO_S3_ACCESS_KEY_ID: s3.accessKeyId,
    PBO_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    PBO_S3_PATH_STYLE: String(s3.pathStyle),
    PBO_PORT: String(port),
    PBO_BASE_URL: baseUrl,
  };
}

/** Variables of a process, without the secrets of others. */
export function envOf(name: ProcessName, env: Record<string, string>): Record<string, string> {
  const foreign = (Object.values(SETTINGS) as Setting<unknown>[])
    .filter(({ ownersOnly, usedBy }) => ownersOnly && !usedBy.includes(name))
    .map((row) => row.env);
  return without(env, (variable) => foreign.includes(variable.replace(/_FILE$/, "")));
}

const without = (env: Record<string, string>, isLeftOut: (name: string) => boolean) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !isLeftOut(name)));

/** Replaces secrets given as <name>_FILE by their content. */
export function readSecretFiles(env: Env): Env {
  const read = { ...env };
  for (const { env: name, secret } of Object.values(SETTINGS) as Setting<unknown>[]) {
    const file = env[`${name}_FILE`];
    if (!secret || !file || env[name] || !existsSync(file)) continue;
    read[name] = readFileSync(file, "utf8").trim();
    delete read[`${name}_FILE`];
  }
  return read;
}

const SAMPLE_KEY = `check:${Buffer.alloc(32).toString("base64")}`;

/** Reports the mistakes of all processes together, before a server is started. */
export function checkUserSettings(userEnv: Env): void {
  const user = userSettings(userEnv);
  const { privateKey, publicKey } = newGatewayKeys();
  const placeholders: Env = {
    PBO_ENV: "local",
    PBO_NATS_URL: "nats://127.0.0.1",
    PBO_BASE_URL: "http://localhost",
    PBO_S3_BUCKET: "documents",
    PBO_MONGODB_URI: "mongodb://127.0.0.1",
    PBO_IDENTITY_KEYS: SAMPLE_KEY,
    PBO_TOKEN_KEYS: SAMPLE_KEY,
    PBO_WEBHOOK_KEYS: SAMPLE_KEY,
    PBO_GATEWAY_PRIVATE_KEY: privateKey,
    PBO_GATEWAY_PUBLIC_KEYS: publicKey,
  };
  // Otherwise an unreadable file would be reported as a setting given twice.
  for (const name of Object.keys(placeholders)) if (user[`${name}_FILE`]) delete placeholders[name];
  if (user.PBO_MONGODB_HOSTS) delete placeholders.PBO_MONGODB_URI;
  const problems = new Set<string>();
  if (user.PBO_ENV === "production")
    problems.add(
      "PBO_ENV=production is for real deployments; npm start is the local platform: leave it unset",
    );
  for (const name of PROCESS_NAMES) {
    try {
      loadConfig(name, { ...placeholders, ...user, PBO_ENV: "local" });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  if (problems.size > 0) throw new ConfigError([...problems]);
}

const userSettings = (env: Env): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[0].startsWith("PBO_") && !entry[0].startsWith("PBO_TEST_") && Boolean(entry[1]),
    ),
  );

const raisedLimits = (): Record<string, string> =>
  Object.fromEntries(
    (Object.values(SETTINGS) as Setting<unknown>[])
      .filter((row) => row.env.startsWith("PBO_LIMIT_") && row.default !== null)
      .map((row) => [row.env, String(Number(row.default) * LIMIT_FACTOR)]),
  );
