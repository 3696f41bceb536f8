/** Results as a table for the terminal. */
import type { BenchResult, Comparison, Measured } from "./rounds.ts";

const HEAD = ["", "rate/s", "p50 ms", "p99 ms", "ratio (min–max)", "goal", ""];

export function resultTable(results: readonly BenchResult[]): string {
  const rows = results.flatMap((result) => [
    [`${result.name} (concurrency ${result.concurrency})`, "", "", "", "", "", ""],
    [`  ${result.workload.name}`, ...figures(result.workload), "", "", ""],
    ...result.floors.map((floor) => [
      `  against ${floor.name}`,
      ...figures(floor),
      ...comparison(find(result, floor.name, "rate")),
    ]),
    ...result.comparisons
      .filter(({ measure }) => measure !== "rate")
      .map((one) => [`  ${one.measure} against ${one.against}`, "", "", "", ...comparison(one)]),
  ]);
  return aligned([HEAD, ...rows]);
}

const find = (result: BenchResult, floor: string, measure: Comparison["measure"]) =>
  result.comparisons.find((one) => one.against === floor && one.measure === measure);

const figures = ({ rate, p50Ms, p99Ms }: Measured): string[] => [
  rate.toLocaleString("en-US", { maximumFractionDigits: rate < 100 ? 1 : 0 }),
  p50Ms.toFixed(2),
  p99Ms.toFixed(2),
];

function comparison(one: Comparison | undefined): string[] {
  if (!one) return ["", "", ""];
  const { median, min, max } = one.ratio;
  const verdict = one.met === null ? "" : one.met ? "met" : "MISSED";
  return [`${median.toFixed(2)} (${min.toFixed(2)}–${max.toFixed(2)})`, one.goal ?? "", verdict];
}

function aligned(rows: readonly string[][]): string {
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cell = (text: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 0 || column > 4 ? text.padEnd(width) : text.padStart(width);
  };
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
