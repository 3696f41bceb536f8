/** Types of an operator command. Add a command in commands/ and list it in commands.ts. */
import type { CallAction } from "../../shared/moleculer/typed-actions.ts";

export type OptionSpec = {
  type: "string" | "boolean";
  required?: boolean;
  /** Shown in the help as what to put there: id, file, email. */
  value?: string;
  help: string;
};

export type AdminCall = CallAction<"admin">;

export type CommandInput = {
  call: AdminCall;
  /** Given as --name value; required ones are present. */
  options: Readonly<Record<string, string | boolean | undefined>>;
  readStdin(): Promise<string>;
  stateDir: string;
  /** Says how far it is, before the answer. */
  report(text: string): void;
};

export type Row = Record<string, unknown>;

export type Command = {
  /** The words of the command: "partner create". */
  name: string;
  summary: string;
  options: Readonly<Record<string, OptionSpec>>;
  /** Changes nothing, so that nobody has to say who they are. */
  reads?: true;
  /** Run by a release, not by a person: nobody has to say who they are. */
  automatic?: true;
  /** Columns of the table; --json prints everything. */
  columns: readonly string[];
  example: string;
  /** A text is printed as it is. */
  run(input: CommandInput): Promise<Row | readonly Row[] | string>;
};

/** The text of an option that the command declares as a string. */
export const textOf = ({ options }: Pick<CommandInput, "options">, name: string): string => {
  const value = options[name];
  return typeof value === "string" ? value : "";
};
