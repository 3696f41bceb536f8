/** Settings file of the S3 process, with access keys that are kept between starts. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { StatePaths } from "../../lib/paths.ts";

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

type Given = Pick<S3Settings, "port" | "buckets" | "natsUrl" | "namespace">;

export function writeS3Settings(paths: StatePaths, given: Given): S3Settings {
  const settings = {
    ...given,
    dir: paths.s3Dir,
    queueDir: paths.s3QueueDir,
    ...keepKeys(paths.s3SettingsFile),
  };
  writeFileSync(paths.s3SettingsFile, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 });
  return settings;
}

/** Kept, so that upload links issued before a restart still work. */
function keepKeys(file: string): Pick<S3Settings, "accessKeyId" | "secretAccessKey"> {
  if (existsSync(file)) {
    const { accessKeyId, secretAccessKey } = JSON.parse(readFileSync(file, "utf8")) as S3Settings;
    if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey };
  }
  return {
    accessKeyId: `LOCAL${randomBytes(8).toString("hex").toUpperCase()}`,
    secretAccessKey: randomBytes(30).toString("base64url"),
  };
}
