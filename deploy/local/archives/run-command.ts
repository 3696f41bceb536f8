/** Runs a program to its end; a missing or slow program counts as failed. */
import { spawn } from "node:child_process";
import { projectDir } from "../../lib/paths.ts";

export type CommandResult = { ok: boolean; stdout: string; stderr: string };

export type CommandOptions = { withinMs: number; cwd?: string; env?: Record<string, string | undefined> };

export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? projectDir,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: options.withinMs,
      killSignal: "SIGKILL",
      ...(options.env ? { env: options.env } : {}),
    });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    child.once("error", (error) => resolve({ ok: false, stdout, stderr: error.message }));
    child.once("close", (code) => resolve({ ok: code === 0, stdout, stderr }));
  });
}

/** The last line of an error output, without npm's pointer to its log. */
export const lastLine = (text: string): string =>
  text
    .trim()
    .split("\n")
    .filter((line) => !line.includes("A complete log"))
    .at(-1) ?? "";
