/** Creates each set of field keys once and keeps it: stored encrypted fields need it. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS, type Setting } from "../../../shared/config/config.ts";
import { writePrivateFile } from "../../lib/files.ts";
import type { StatePaths } from "../../lib/paths.ts";

const KEY_SETS = (Object.values(SETTINGS) as Setting<unknown>[]).filter(
  ({ env, ownersOnly }) => ownersOnly && env.endsWith("_KEYS"),
);

/** The settings that give every set as a file. */
export const fieldKeyFiles = (paths: StatePaths): Record<string, string> =>
  Object.fromEntries(KEY_SETS.map(({ env }) => [`${env}_FILE`, join(paths.root, nameOf(env))]));

export function keepFieldKeys(paths: StatePaths): void {
  for (const { env } of KEY_SETS) {
    const file = join(paths.root, nameOf(env));
    const id = nameOf(env).replace("-keys", "1");
    if (!existsSync(file)) writePrivateFile(file, `${id}:${randomBytes(32).toString("base64")}\n`);
  }
}

/** PBO_TOKEN_KEYS is kept in token-keys. */
const nameOf = (env: string): string => env.replace("PBO_", "").toLowerCase().replaceAll("_", "-");
