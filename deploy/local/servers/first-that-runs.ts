/** Takes a server program from the first source whose program runs on this machine. */
import { runCommand } from "../archives/run-command.ts";
import type { Report } from "../report.ts";

export type Program = { path: string; env: Record<string, string> };

/** Null when the source has none; the error of one that failed is shown if no other source has one. */
export type Source = (report: Report) => Promise<Program | null>;

type Wanted = { name: string; sources: readonly Source[]; help: readonly string[] };

const VERSION_WITHIN_MS = 20_000;

export async function firstThatRuns({ name, sources, help }: Wanted, report: Report): Promise<Program> {
  const failures = new Set<string>();
  for (const source of sources) {
    const program = await source(report).catch((error: Error) => {
      failures.add(error.message);
      return null;
    });
    if (!program) continue;
    const { path, env } = program;
    const version = await runCommand(path, ["--version"], { withinMs: VERSION_WITHIN_MS, env });
    if (version.ok) return program;
    failures.add(`${path} does not run: ${version.stderr.trim()}`);
  }
  throw new Error(
    [
      `No ${name} is available.`,
      ...[...failures].map((failure) => `  - ${failure}`),
      "Remedies:",
      ...help.map((line) => `  - ${line}`),
    ].join("\n"),
  );
}
