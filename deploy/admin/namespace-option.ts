/** The option of commands that know an installation's PBO_NAMESPACE by nothing else. */
import { type CommandInput, textOf } from "./command.ts";
import { UsageError } from "./usage-error.ts";

export const namespaceOption = {
  namespace: { type: "string", value: "name", help: "PBO_NAMESPACE of the installation, when it has one" },
} as const;

export function namespaceOf(input: Pick<CommandInput, "options">): string {
  const given = textOf(input, "namespace");
  if (!/^[a-z0-9]{0,20}$/.test(given))
    throw new UsageError("--namespace must be at most 20 lower-case letters and digits.");
  return given;
}
