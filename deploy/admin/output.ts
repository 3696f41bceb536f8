/** Prints rows as a table; --json prints what the columns leave out. */
import { lineText } from "../../shared/safe-text.rules.ts";
import type { Row } from "./command.ts";

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

/** Names are user input. */
const cell = (value: unknown): string =>
  value === null || value === undefined
    ? "-"
    : lineText(String(typeof value === "object" ? JSON.stringify(value) : value));
