/**
 * .env.example and the list in deploy/docs/settings.md, made from the settings.
 * `deploy/run-node test/support/settings-docs.ts` writes both; a test fails when they are not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SERVICE_NAMES, SETTINGS, type Setting } from "../../shared/config/config.ts";

const root = join(import.meta.dirname, "../..");
export const ENV_EXAMPLE_FILE = join(root, ".env.example");
export const GUIDE_FILE = join(root, "deploy/docs/settings.md");

const LIST_START = "<!-- settings: made by deploy/run-node test/support/settings-docs.ts -->";
const LIST_END = "<!-- end of settings -->";

const rows = (): Setting<unknown>[] => Object.values(SETTINGS);

export function envExample(): string {
  const head = [
    "# Every setting, with its default. A line without a default has to be given to the processes that it names.",
    "# A secret can also be given as a file: <name>_FILE. npm start needs none of them.",
  ];
  const blocks = rows().map((row) => [`# ${remark(row, requirement(row))}`, assignment(row)].join("\n"));
  return `${head.join("\n")}\n\n${blocks.join("\n\n")}\n`;
}

/** A line per setting, under the processes that read it. */
export function settingsList(): string {
  return [...Map.groupBy(rows(), users)]
    .map(([processes, group]) => [`### For ${processes}`, "", ...group.map(line)].join("\n"))
    .join("\n\n");
}

const line = (row: Setting<unknown>): string =>
  `- \`${row.env}\`${row.default === "" ? "" : ` (${row.default === null ? "**required**" : `\`${row.default}\``})`}: ${remark(row)}`;

export function guideWithSettings(guide: string): string {
  const [before, rest] = guide.split(LIST_START);
  const after = rest?.split(LIST_END)[1];
  if (before === undefined || after === undefined)
    throw new Error(`${GUIDE_FILE} has no place for the settings.`);
  return `${before}${LIST_START}\n\n${settingsList()}\n\n${LIST_END}${after}`;
}

const assignment = (row: Setting<unknown>): string =>
  row.default === null ? `${row.env}=` : `# ${row.env}=${row.default}`;

const users = ({ usedBy }: Setting<unknown>): string =>
  usedBy === "all" ? "all" : usedBy.join() === SERVICE_NAMES.join() ? "all services" : usedBy.join(", ");

const requirement = (row: Setting<unknown>): string =>
  row.default === null ? `required by ${users(row)}` : "";

function remark(row: Setting<unknown>, ...more: string[]): string {
  const notes = [...more, row.secret ? "secret" : "", row.localOnly ? "PBO_ENV=local only" : ""].filter(
    Boolean,
  );
  return notes.length > 0 ? `${row.description} (${notes.join("; ")})` : row.description;
}

if (import.meta.main) {
  writeFileSync(ENV_EXAMPLE_FILE, envExample());
  writeFileSync(GUIDE_FILE, guideWithSettings(readFileSync(GUIDE_FILE, "utf8")));
}
