/** Parses a command line into a command and its options. */
import { parseArgs } from "node:util";
import type { Command, CommandInput } from "./command.ts";
import { UsageError } from "./usage-error.ts";

type Parsed =
  | { kind: "help"; command: Command | null }
  | { kind: "run"; command: Command; options: CommandInput["options"]; json: boolean; stateDir: string };

export const COMMON_OPTIONS = {
  operator: {
    type: "string",
    value: "name",
    help: "who does it, for the audit trail; required for a change",
  },
  json: { type: "boolean", help: "print JSON instead of a table" },
  state: { type: "string", value: "dir", help: "state directory of the local platform (.local)" },
  help: { type: "boolean", help: "show this help" },
} as const;

export function parseCommand(args: readonly string[], commands: readonly Command[]): Parsed {
  const words = leadingWords(args);
  const command = commands.find(
    ({ name }) => words.join(" ") === name || words.slice(0, 2).join(" ") === name,
  );
  const wantsHelp = args.includes("--help") || args.includes("-h") || words[0] === "help";
  if (wantsHelp || args.length === 0) return { kind: "help", command: command ?? null };
  if (!command) throw new UsageError(unknownCommand(words, commands));
  const { values, positionals } = parseOptions(command, args.slice(command.name.split(" ").length));
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is one word too many.`);
  for (const [name, { required }] of Object.entries(command.options))
    if (required && (values[name] === undefined || values[name] === ""))
      throw new UsageError(`--${name} is missing.`);
  if (!command.reads && !command.automatic && !values.operator)
    throw new UsageError("--operator is missing: your name, for the audit trail.");
  const { json, state, ...options } = values;
  return {
    kind: "run",
    command,
    options,
    json: json === true,
    stateDir: typeof state === "string" ? state : ".local",
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

function unknownCommand(words: readonly string[], commands: readonly Command[]): string {
  const group = commands.filter(({ name }) => name.split(" ")[0] === words[0]).map(({ name }) => name);
  return group.length > 0
    ? `There is no command "${words.join(" ")}". Did you mean ${group.join(", ")}?`
    : `There is no command "${words.join(" ")}". --help lists them.`;
}
