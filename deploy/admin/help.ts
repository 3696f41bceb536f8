/** The help texts of the operator commands. */
import type { Command, OptionSpec } from "./command.ts";
import { COMMON_OPTIONS } from "./parse-command.ts";

export function helpText(commands: readonly Command[], command: Command | null): string {
  return command ? helpOf(command) : overview(commands);
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "The operator's commands. Usage: npm run admin -- <command> [options]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "npm run admin -- <command> --help tells the options of a command.",
    "It speaks to the servers of PBO_NATS_URL, or else to the platform that `npm start` runs here.",
    "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the service cannot be reached.",
  ].join("\n");
}

function helpOf({ name, summary, options, example }: Command): string {
  const usage = (row: [string, OptionSpec]): string => (row[1].required ? left(row) : `[${left(row)}]`);
  const rows = Object.entries<OptionSpec>({ ...options, ...COMMON_OPTIONS });
  const left = ([option, { type, value }]: [string, OptionSpec]): string =>
    type === "boolean" ? `--${option}` : `--${option} <${value ?? "text"}>`;
  const width = Math.max(...rows.map((row) => left(row).length));
  return [
    `${summary}.`,
    "",
    `Usage: npm run admin -- ${[name, ...Object.entries(options).map(usage)].join(" ")}`,
    "",
    ...rows.map(
      (row) => `  ${left(row).padEnd(width)}  ${row[1].help}${row[1].required ? " (required)" : ""}`,
    ),
    "",
    `Example: npm run admin -- ${example}`,
  ].join("\n");
}
