/**
 * .env.example and the table of settings in deploy/README.md, made from the settings.
 * `deploy/run-node test/support/settings-docs.ts` writes both; a test fails when they are not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS, type Setting } from "../../shared/config/config.ts";

const root = join(import.meta.dirname, "../..");
export const ENV_EXAMPLE_FILE = join(root, ".env.example");
export const GUIDE_FILE = join(root, "deploy/README.md");

const TABLE_START = "<!-- settings: made by deploy/run-node test/support/settings-docs.ts -->";
const TABLE_END = "<!-- end of settings -->";

const rows = (): Setting<unknown>[] => Object.values(SETTINGS);

export function envExample(): string {
  const head = [
    "# Every setting, with its default. A line without a default has to be given to the processes that it names.",
    "# A secret can also be given as a file: <name>_FILE. npm start needs none of them.",
  ];
  const blocks = rows().map((row) => [`# ${remark(row, requirement(row))}`, assignment(row)].join("\n"));
  return `${head.join("\n")}\n\n${blocks.join("\n\n")}\n`;
}

export function settingsTable(): string {
  const lines = rows().map(
    (row) =>
      `| \`${row.env}\` | ${shownDefault(row)} | ${users(row)} | ${remark(row).replaceAll("|", "\\|")} |`,
  );
  return ["| Variable | Default | Used by | Meaning |", "|---|---|---|---|", ...lines].join("\n");
}

/** The guide with its table brought up to date. */
export function guideWithTable(guide: string): string {
  const [before, rest] = guide.split(TABLE_START);
  const after = rest?.split(TABLE_END)[1];
  if (before === undefined || after === undefined)
    throw new Error("deploy/README.md has no place for the settings.");
  return `${before}${TABLE_START}\n${settingsTable()}\n${TABLE_END}${after}`;
}

const assignment = (row: Setting<unknown>): string =>
  row.default === null ? `${row.env}=` : `# ${row.env}=${row.default}`;

const shownDefault = (row: Setting<unknown>): string =>
  row.default === null ? "**required**" : row.default === "" ? "empty" : `\`${row.default}\``;

const users = ({ usedBy }: Setting<unknown>): string => (usedBy === "all" ? "all" : usedBy.join(", "));

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
  writeFileSync(GUIDE_FILE, guideWithTable(readFileSync(GUIDE_FILE, "utf8")));
}
