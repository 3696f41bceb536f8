/** Creates each set of field keys once and keeps it: without it, stored encrypted fields could not be read again. */
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS, type Setting } from "../../../shared/config/config.ts";
import type { StatePaths } from "../../lib/paths.ts";
import { writePrivateFile } from "../../lib/private-file.ts";

const KEY_SETS = (Object.values(SETTINGS) as Setting<unknown>[]).filter(
  ({ env, ownersOnly }) => ownersOnly && env.endsWith("_KEYS"),
);

/** The settings that give every set as a file. */
export const fieldKeyFiles = (paths: StatePaths): Record<string, string> =>
  Object.fromEntries(KEY_SETS.map(({ env }) => [`${env}_FILE`, fileOf(paths, env)]));

export function keepFieldKeys(paths: StatePaths): void {
  // Before there were sets, one key sealed everything; it stays for reading.
  const earlier = join(paths.root, "field-keys");
  const known = existsSync(earlier) ? `,${readFileSync(earlier, "utf8").trim()}` : "";
  for (const { env } of KEY_SETS) {
    const file = fileOf(paths, env);
    const id = nameOf(env).replace("-keys", "1");
    if (!existsSync(file)) writePrivateFile(file, `${id}:${randomBytes(32).toString("base64")}${known}\n`);
  }
}

/** PBO_TOKEN_KEYS is kept in token-keys. */
const nameOf = (env: string): string => env.replace("PBO_", "").toLowerCase().replaceAll("_", "-");
const fileOf = (paths: StatePaths, env: string): string => join(paths.root, nameOf(env));
