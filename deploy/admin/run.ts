/** A run of the operator's command line, with its dependencies passed in. */
import { ConfigError } from "../../shared/config/config.ts";
import { errorCode, isAppError } from "../../shared/errors.ts";
import { randomId } from "../../shared/ids.ts";
import { lineText, printableJson } from "../../shared/safe-text.rules.ts";
import { type AdminCall, CheckFailed, type Row, UsageError } from "./command.ts";
import type { AdminConnection } from "./connect.ts";
import { parseCommand } from "./parse-command.ts";

export type RunDeps = {
  connect(stateDir: string): Promise<AdminConnection>;
  readStdin(): Promise<string>;
  out(text: string): void;
  err(text: string): void;
};

const EXIT = { done: 0, refused: 1, usage: 2, unavailable: 3 } as const;

export async function runAdmin(deps: RunDeps, args: readonly string[]): Promise<number> {
  const bus = busOf(deps.connect);
  try {
    deps.out(await outputOf(deps, bus, args));
    return EXIT.done;
  } catch (error) {
    const { code, message, exit } = explain(error);
    const isJson = args.includes("--json");
    deps.err(isJson ? JSON.stringify({ error: { code, message } }) : `error: ${message} (${code})`);
    return exit;
  } finally {
    await bus.close();
  }
}

type Bus = ReturnType<typeof busOf>;

async function outputOf({ readStdin, err }: RunDeps, bus: Bus, args: readonly string[]): Promise<string> {
  const parsed = parseCommand(args);
  if ("help" in parsed) return parsed.help;
  const { command, options, json, stateDir } = parsed;
  const call = asOperator(bus.callAt(stateDir), options.operator);
  const result = await command.run({ call, options, stateDir, readStdin, report: err });
  if (typeof result === "string") return result;
  if (json) return printableJson(JSON.stringify(result, null, 2));
  return tableOf((Array.isArray(result) ? result : [result]) as Row[], command.columns ?? []);
}

/** Connects with the first call: a migration runs where no service does. */
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

/** Every call of a command names its operator, and has one request id in all logs and entries. */
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

function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) return "(none)";
  const shown = columns.filter((column) => rows.some((row) => row[column] !== undefined));
  const lines = [shown, ...rows.map((row) => shown.map((column) => cell(row[column])))];
  const widths = shown.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? "").length)));
  const padded = (line: readonly string[]) => line.map((text, index) => text.padEnd(widths[index] ?? 0));
  return lines.map((line) => padded(line).join("  ").trimEnd()).join("\n");
}

/** Names are user input. */
const cell = (value: unknown): string =>
  value === null || value === undefined
    ? "-"
    : lineText(String(typeof value === "object" ? JSON.stringify(value) : value));
