/** The embedded S3 API: its settings file, how the platform starts and checks it. */
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { childEnv } from "../../lib/child-env.ts";
import { readJson } from "../../lib/files.ts";
import type { StatePaths } from "../../lib/paths.ts";
import type { ProcessSpec } from "../processes/managed-process.ts";

export type S3Settings = {
  port: number;
  dir: string;
  queueDir: string;
  buckets: string[];
  accessKeyId: string;
  secretAccessKey: string;
  natsUrl: string;
  /** Empty: one installation. "by-bucket": the part of the bucket's name before "-", for tests. */
  namespace: string;
  /** The content of both, for https. */
  tls?: { cert: string; key: string };
};

const ANSWER_WITHIN_MS = 2_000;
const SERVER_FILE = fileURLToPath(new URL("./s3-server.ts", import.meta.url));

export const s3Endpoint = (port: number): string => `http://127.0.0.1:${port}`;

/** Keeps the access keys, so that upload links issued before a restart still work. */
export function writeS3Settings(
  { s3Dir, s3QueueDir, s3SettingsFile }: StatePaths,
  given: Pick<S3Settings, "port" | "buckets" | "natsUrl" | "namespace">,
): S3Settings {
  const { accessKeyId, secretAccessKey } = readJson<S3Settings>(s3SettingsFile) ?? {
    accessKeyId: `LOCAL${randomBytes(8).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
  };
  const settings = { ...given, dir: s3Dir, queueDir: s3QueueDir, accessKeyId, secretAccessKey };
  writeFileSync(s3SettingsFile, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return settings;
}

export function s3Spec(port: number, paths: StatePaths): ProcessSpec {
  return {
    name: "s3",
    server: true,
    command: process.execPath,
    args: [SERVER_FILE, paths.s3SettingsFile],
    env: childEnv(),
    isReady: () => answers(port),
    readyWithinMs: 120_000,
    stopWithinMs: 5_000,
  };
}

async function answers(port: number): Promise<boolean> {
  const response = await fetch(s3Endpoint(port), { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  await response.body?.cancel();
  return response.status === 403;
}
