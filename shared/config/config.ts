/** Reads and checks the settings of a process. The only file that reads process.env. */
import { readFileSync } from "node:fs";
import { mongodbAddress, mongodbAddressProblems } from "./mongodb-address.rules.ts";
import type { ProcessName } from "./process-names.ts";
import { productionProblems } from "./production.rules.ts";
import type { Setting } from "./setting-kinds.ts";
import { SETTINGS, type SettingValues } from "./settings.ts";

export { type ProcessName, SERVICE_NAMES, type ServiceName } from "./process-names.ts";
export type { FieldKey, Setting } from "./setting-kinds.ts";
export { SETTINGS } from "./settings.ts";

export type Config = SettingValues & { readonly process: ProcessName };

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

type Env = Record<string, string | undefined>;

const ROWS: readonly Setting<unknown>[] = Object.values(SETTINGS);

/** Throws one ConfigError that lists every problem. */
export function loadConfig(process: ProcessName, env: Env): Config {
  const problems: string[] = [];
  const given = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, row]) => [name, readSetting(row, process, env, problems)]),
  ) as SettingValues;
  // Problems of a part are reported already.
  const isPartWrong = problems.some((problem) => problem.startsWith("PBO_MONGODB_"));
  if (SETTINGS.mongodbUri.usedBy.includes(process) && !isPartWrong)
    problems.push(...mongodbAddressProblems(given));
  const values = { ...given, mongodbUri: isPartWrong ? "" : mongodbAddress(given), process };
  if (values.env !== "local")
    problems.push(...productionProblems(process, values, env), ...foreignSecrets(env, process));
  problems.push(...unknownVariables(env));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

export const processEnv = (): Env => process.env;

function readSetting(row: Setting<unknown>, process: ProcessName, env: Env, problems: string[]): unknown {
  const raw = rawValue(row, env, problems);
  const isUsed = row.usedBy === "all" || row.usedBy.includes(process);
  if (raw === undefined && row.default === null && isUsed)
    problems.push(`${row.env} is required: ${row.description}`);
  // Every kind without a default, and every kind of secret, takes an empty text.
  const parsed = row.parse(raw ?? row.default ?? "");
  if ("value" in parsed) return parsed.value;
  problems.push(`${row.env} ${parsed.problem}`);
  return undefined;
}

/** Undefined when not set, empty when set to a file that cannot be read. */
function rawValue(row: Setting<unknown>, env: Env, problems: string[]): string | undefined {
  const direct = env[row.env] || undefined;
  const file = env[`${row.env}_FILE`];
  if (!row.secret || !file) return direct;
  if (direct) problems.push(`${row.env} and ${row.env}_FILE are both set; keep one`);
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch {
    problems.push(`${row.env}_FILE names a file that cannot be read`);
    return "";
  }
}

/** A set of keys in a process that does not use it is a mistake of its manifest. */
const foreignSecrets = (env: Env, process: ProcessName): string[] =>
  ROWS.filter((row) => row.ownersOnly && !row.usedBy.includes(process))
    .filter((row) => env[row.env] || env[`${row.env}_FILE`])
    .map((row) => `${row.env} is for ${[row.usedBy].flat().join(" and ")} only`);

/** Otherwise a misspelt name would silently leave the default in place. */
function unknownVariables(env: Env): string[] {
  const known = new Set(ROWS.flatMap((row) => (row.secret ? [row.env, `${row.env}_FILE`] : [row.env])));
  return Object.keys(env)
    .filter((name) => name.startsWith("PBO_") && !name.startsWith("PBO_TEST_") && !known.has(name))
    .map((name) => `${name} is not a setting of this service`);
}
