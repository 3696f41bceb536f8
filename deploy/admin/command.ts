/** An operator command and what its options are made of. Add a command in commands/ and list it in commands.ts. */
import { readFileSync } from "node:fs";
import type { CallAction } from "../../shared/moleculer/typed-actions.ts";

export type OptionSpec = {
  type: "string" | "boolean";
  required?: boolean;
  /** Shown in the help as what to put there: id, file, email. */
  value?: string;
  help: string;
};

export const optional = (value: string, help: string): OptionSpec => ({ type: "string", value, help });
export const required = (value: string, help: string): OptionSpec => ({
  ...optional(value, help),
  required: true,
});
export const flag = (help: string): OptionSpec => ({ type: "boolean", help });

export type AdminCall = CallAction<"admin">;

export type CommandInput = {
  call: AdminCall;
  /** Given as --name value; required ones are present. */
  options: Readonly<Record<string, string | boolean | undefined>>;
  readStdin(): Promise<string>;
  stateDir: string;
  /** Prints progress before the answer. */
  report(text: string): void;
};

export type Row = Record<string, unknown>;

export type Command = {
  /** The words of the command: "partner create". */
  name: string;
  summary: string;
  options: Readonly<Record<string, OptionSpec>>;
  /** Needs no --operator: it changes nothing, or a release runs it. */
  anonymous?: true;
  /** Columns of the table; --json prints everything. */
  columns?: readonly string[];
  example: string;
  /** A text is printed as it is. */
  run(input: CommandInput): Promise<Row | readonly Row[] | string>;
};

/** The command line is wrong; the help text explains it. */
export class UsageError extends Error {}

/** A check found something wrong. */
export class CheckFailed extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** The text of an option that the command declares as a string. */
export const textOf = ({ options }: Pick<CommandInput, "options">, name: string): string => {
  const value = options[name];
  return typeof value === "string" ? value : "";
};

/** The content of the file that an option names. */
export function fileOf(input: CommandInput, name: string): string {
  const file = textOf(input, name);
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(`The file ${file} cannot be read.`);
  }
}

export const namespaceOption = {
  namespace: optional("name", "PBO_NAMESPACE of the installation, when it has one"),
};

export function namespaceOf(input: CommandInput): string {
  const given = textOf(input, "namespace");
  if (!/^[a-z0-9]{0,20}$/.test(given))
    throw new UsageError("--namespace must be at most 20 lower-case letters and digits.");
  return given;
}
