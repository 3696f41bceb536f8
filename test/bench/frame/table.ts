/** Results as a table for the terminal. */
import { ledgerText } from "./ledger.rules.ts";
import type { BenchResult, Comparison, Measured } from "./rounds.ts";

const HEAD = ["", "rate/s", "p50 ms", "p99 ms", "compared", "ratio (90 % interval)", "goal", ""];
/** Last column with a figure; the first is the name, the next the goal. */
const LAST_FIGURE = 5;
const NO_FIGURES = ["", "", ""];

/** A row of cells, or a line that takes the whole width. */
type Line = string[] | string;

export function resultTable(results: readonly BenchResult[]): string {
  const lines = results.flatMap((result): Line[] => [
    `${result.name} (concurrency ${result.concurrency})`,
    [`  ${result.workload.name}`, ...figures(result.workload)],
    ...underLines(result.workload),
    ...result.floors.flatMap((floor): Line[] => [
      ...floor.compared.map(
        (one, index): Line => [
          ...(index === 0 ? [`  beside ${floor.name}`, ...figures(floor)] : ["", ...NO_FIGURES]),
          ...compared(one),
        ],
      ),
      ...underLines(floor),
      `    fair: ${floor.fairBecause}`,
    ]),
    ...result.missing.map(({ name, because }) => `  beside ${name}: NOT MEASURED, ${because}`),
  ]);
  return aligned([HEAD, ...lines], LAST_FIGURE);
}

/** The same rows on several kinds of servers, a column each. */
export function sideBySide(runs: readonly { servers: string; results: readonly BenchResult[] }[]): string {
  const rows = new Map<string, string[]>();
  for (const [column, { results }] of runs.entries())
    for (const { name, workload, floors } of results) {
      const put = (row: string, text: string) => {
        const cells = rows.get(row) ?? runs.map(() => "");
        cells[column] = text;
        rows.set(row, cells);
      };
      put(name, figures(workload).join(" / "));
      for (const floor of floors)
        for (const one of floor.compared)
          put(`${name}\n  ${one.measure} beside ${floor.name}`, ratioText(one) + shown(one));
    }
  const head = ["rate/s / p50 ms / p99 ms; ratios", ...runs.map(({ servers }) => servers)];
  const lines = [...rows].map(([row, cells]) => [row.split("\n").at(-1) ?? "", ...cells]);
  return aligned([head, ...lines], runs.length);
}

const figures = ({ rate, p50Ms, p99Ms }: Measured): string[] => [
  rate.toLocaleString("en-US", { maximumFractionDigits: rate < 100 ? 1 : 0 }),
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
];

const compared = (one: Comparison): string[] => [one.measure, ratioText(one), one.goal, shown(one).trim()];

/** Where the time goes: a process that is not named did not matter. */
function underLines({ cpuMs, ledger }: Measured): Line[] {
  const most = Object.entries(cpuMs).toSorted(([, a], [, b]) => b - a);
  const named = most.map(([role, ms]) => `${role} ${ms.toFixed(2)} ms`).join(", ");
  return [
    ...(named ? [`    CPU of each: ${named}`] : []),
    ...(ledger ? [`    ledger: ${ledgerText(ledger)}`] : []),
  ];
}

function ratioText({ ratio, interval }: Comparison): string {
  const between = interval ? `${interval.low.toFixed(2)}–${interval.high.toFixed(2)}` : "too few rounds";
  return `${ratio.median.toFixed(2)} (${between})`;
}

/** Verdicts that need a look are in capitals. */
const shown = ({ verdict }: Comparison): string =>
  verdict === null ? "" : ` ${verdict === "passed" ? verdict : verdict.toUpperCase()}`;

function aligned(lines: readonly Line[], lastFigure: number): string {
  const rows = lines.filter((line) => typeof line !== "string");
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const cell = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 0 || column > lastFigure ? text.padEnd(width) : text.padStart(width);
  };
  const textOf = (line: Line) => (typeof line === "string" ? line : line.map(cell).join("  ").trimEnd());
  return lines.map(textOf).join("\n");
}
