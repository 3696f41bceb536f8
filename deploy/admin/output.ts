/** How the operator's commands show their results. */
import type { Row } from "./command.ts";

/** A table for people; what is in the rows but not in the columns is left to --json. */
export function tableOf(rows: readonly Row[], columns: readonly string[]): string {
  if (rows.length === 0) return "(none)";
  const shown = columns.filter((column) => rows.some((row) => row[column] !== undefined));
  const lines = [shown, ...rows.map((row) => shown.map((column) => cell(row[column])))];
  const widths = shown.map((_, index) => Math.max(...lines.map((line) => (line[index] ?? "").length)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Names come from outside: no control character reaches the operator's terminal. */
const cell = (value: unknown): string =>
  value === null || value === undefined
    ? "-"
    : String(typeof value === "object" ? JSON.stringify(value) : value).replaceAll(/\p{Cc}/gu, "?");
