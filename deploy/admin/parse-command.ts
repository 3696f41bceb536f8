/** Parses a command line into a command and its options, and prints the help. */
import { parseArgs } from "node:util";
import {
  type Command,
  type CommandInput,
  flag,
  type OptionSpec,
  optional,
  textOf,
  UsageError,
} from "./command.ts";
import { COMMANDS } from "./commands.ts";

type Parsed =
  | { help: string }
  | { command: Command; options: CommandInput["options"]; json: boolean; stateDir: string };

const COMMON_OPTIONS = {
  operator: optional("name", "your name, for the audit trail; required for a change"),
  json: flag("print JSON instead of a table"),
  state: optional("dir", "state directory of the local platform (.local)"),
  help: flag("show this help"),
};

export function parseCommand(args: readonly string[]): Parsed {
  const words = leadingWords(args);
  const command = COMMANDS.find(
    ({ name }) => words.join(" ") === name || words.slice(0, 2).join(" ") === name,
  );
  const wantsHelp = args.includes("--help") || args.includes("-h") || words[0] === "help";
  if (wantsHelp || args.length === 0) return { help: command ? helpOf(command) : overview() };
  if (!command) throw new UsageError(unknownCommand(words));
  const { values, positionals } = parseOptions(command, args.slice(command.name.split(" ").length));
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many.`);
  for (const [name, { required }] of Object.entries(command.options))
    if (required && !values[name]) throw new UsageError(`--${name} is missing.`);
  if (!command.anonymous && !values.operator)
    throw new UsageError("--operator is missing: your name, for the audit trail.");
  const { json, state: _, ...options } = values;
  return {
    command,
    options,
    json: json === true,
    stateDir: textOf({ options: values }, "state") || ".local",
  };
}

function parseOptions(command: Command, args: string[]) {
  const options = Object.fromEntries(
    Object.entries({ ...command.options, ...COMMON_OPTIONS }).map(([name, { type }]) => [name, { type }]),
  );
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0] ?? "The options are wrong.");
  }
}

function leadingWords(args: readonly string[]): string[] {
  const end = args.findIndex((arg) => arg.startsWith("-"));
  return args.slice(0, end === -1 ? undefined : end);
}

function unknownCommand(words: readonly string[]): string {
  const group = COMMANDS.filter(({ name }) => name.split(" ")[0] === words[0]).map(({ name }) => name);
  const hint = group.length > 0 ? `Did you mean ${group.join(", ")}?` : "--help lists them.";
  return `There is no command "${words.join(" ")}". ${hint}`;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  return [
    "The operator's commands. Usage: npm run admin -- <command> [options]",
    "",
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "npm run admin -- <command> --help shows the options of a command.",
    "Commands connect to the servers of PBO_NATS_URL, or to the platform that `npm start` runs here.",
    "Exit codes: 0 done, 1 refused, 2 wrong usage, 3 the service cannot be reached.",
  ].join("\n");
}

function helpOf({ name, summary, options, example }: Command): string {
  const left = ([option, { type, value }]: [string, OptionSpec]): string =>
    type === "boolean" ? `--${option}` : `--${option} <${value}>`;
  const usage = (row: [string, OptionSpec]): string => (row[1].required ? left(row) : `[${left(row)}]`);
  const rows = Object.entries<OptionSpec>({ ...options, ...COMMON_OPTIONS });
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
