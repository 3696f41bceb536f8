/** Results as a table for the terminal. */
import type { BenchResult, Measured, MeasuredFloor } from "./rounds.ts";

const HEAD = ["", "rate/s", "p50 ms", "p99 ms", "compared", "ratio (90 % interval)", "goal", ""];
/** Last column with a figure; the first is the name, the next the goal. */
const LAST_FIGURE = 5;

/** A row of cells, or a line that takes the whole width. */
type Line = string[] | string;

export function resultTable(results: readonly BenchResult[]): string {
  const lines = results.flatMap((result): Line[] => [
    `${result.name} (concurrency ${result.concurrency})`,
    [`  ${result.workload.name}`, ...figures(result.workload)],
    ...cpuLines(result.workload.cpuMs),
    ...result.floors.flatMap((floor): Line[] => [
      [
        `  beside ${floor.name}`,
        ...figures(floor),
        floor.measure,
        ratioText(floor),
        floor.goal,
        verdictText(floor),
      ],
      ...cpuLines(floor.cpuMs),
      `    fair: ${floor.fairBecause}`,
    ]),
    ...result.missing.map(({ name, because }) => `  beside ${name}: NOT MEASURED, ${because}`),
  ]);
  return aligned([HEAD, ...lines]);
}

const figures = ({ rate, p50Ms, p99Ms }: Measured): string[] => [
  rate.toLocaleString("en-US", { maximumFractionDigits: rate < 100 ? 1 : 0 }),
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
];

/** Where the time goes: a process that is not named did not matter. */
function cpuLines(cpuMs: Readonly<Record<string, number>>): Line[] {
  const most = Object.entries(cpuMs).toSorted(([, a], [, b]) => b - a);
  const named = most.map(([role, ms]) => `${role} ${ms.toFixed(2)} ms`).join(", ");
  return named ? [`    CPU of each: ${named}`] : [];
}

function ratioText({ ratio, interval }: MeasuredFloor): string {
  const between = interval ? `${interval.low.toFixed(2)}–${interval.high.toFixed(2)}` : "too few rounds";
  return `${ratio.median.toFixed(2)} (${between})`;
}

/** Verdicts that need a look are in capitals. */
const verdictText = ({ verdict }: MeasuredFloor): string =>
  verdict === null || verdict === "passed" ? (verdict ?? "") : verdict.toUpperCase();

function aligned(lines: readonly Line[]): string {
  const rows = lines.filter((line) => typeof line !== "string");
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 0 || column > LAST_FIGURE ? text.padEnd(width) : text.padStart(width);
  };
  const textOf = (line: Line) => (typeof line === "string" ? line : line.map(cell).join("  ").trimEnd());
  return lines.map(textOf).join("\n");
}
