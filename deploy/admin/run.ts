/** A run of the operator's command line, with its dependencies passed in. */
import { ConfigError } from "../../shared/config/config.ts";
import { errorCode, isAppError } from "../../shared/errors.ts";
import { randomId } from "../../shared/ids.ts";
import { printableJson } from "../../shared/safe-text.rules.ts";
import { CheckFailed } from "./check-failed.ts";
import type { AdminCall, Command, Row } from "./command.ts";
import type { AdminConnection } from "./connect.ts";
import { helpText } from "./help.ts";
import { tableOf } from "./output.ts";
import { parseCommand } from "./parse-command.ts";
import { UsageError } from "./usage-error.ts";

export type RunDeps = {
  commands: readonly Command[];
  connect(stateDir: string): Promise<AdminConnection>;
  readStdin(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
};

const EXIT = { done: 0, refused: 1, usage: 2, unavailable: 3 } as const;

export async function runAdmin(deps: RunDeps, args: readonly string[]): Promise<number> {
  const isJson = args.includes("--json");
  const bus = busOf(deps.connect);
  try {
    const parsed = parseCommand(args, deps.commands);
    if (parsed.kind === "help") {
      deps.out(helpText(deps.commands, parsed.command));
      return EXIT.done;
    }
    const { command, options, json, stateDir } = parsed;
    const call = asOperator(bus.callAt(stateDir), options.operator);
    const result = await command.run({
      call,
      options,
      stateDir,
      readStdin: deps.readStdin,
      report: deps.err,
    });
    if (typeof result === "string") {
      deps.out(result);
      return EXIT.done;
    }
    const rows = (Array.isArray(result) ? result : [result]) as Row[];
    deps.out(json ? printableJson(JSON.stringify(result, null, 2)) : tableOf(rows, command.columns));
    return EXIT.done;
  } catch (error) {
    const { code, message, exit } = explain(error);
    deps.err(isJson ? JSON.stringify({ error: { code, message } }) : `error: ${message} (${code})`);
    return exit;
  } finally {
    await bus.close();
  }
}

/** Connected with the first call: a migration runs where no service does. */
function busOf(connect: RunDeps["connect"]) {
  let connection: Promise<AdminConnection> | null = null;
  return {
    callAt:
      (stateDir: string): AdminCall =>
      async (...args) => {
        connection ??= connect(stateDir);
        return (await connection).call(...args);
      },
    close: async () => connection?.then(({ close }) => close()).catch(() => undefined),
  };
}

/** Every call of a command says who runs it, and has one request id in all logs and entries. */
function asOperator(call: AdminCall, operator: unknown): AdminCall {
  const meta = { requestId: randomId(), ...(typeof operator === "string" ? { operator } : {}) };
  return (action, request, callOptions) => call(action, request, { ...callOptions, meta });
}

function explain(error: unknown): { code: string; message: string; exit: number } {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof UsageError) return { code: "Usage", message, exit: EXIT.usage };
  if (error instanceof CheckFailed) return { code: error.code, message, exit: EXIT.refused };
  if (error instanceof ConfigError) return { code: "Configuration", message, exit: EXIT.usage };
  if (!isAppError(error)) return { code: errorCode(error) ?? "Unexpected", message, exit: EXIT.unavailable };
  return { code: error.type, message, exit: error.code >= 500 ? EXIT.unavailable : EXIT.refused };
}
