/** Pure: whether a process stays as large as it is while the same work goes on. */
import { median } from "../frame/stats.ts";
import { type Interval, medianInterval, type Verdict, verdictOf } from "../frame/verdict.rules.ts";

export type Growth = {
  verdict: Verdict;
  /** MiB a minute, and what holds the true median with 90 % confidence. */
  slope: number;
  between: Interval | null;
};

/** From one quarter of the load to the next. */
const MOST = 1.05;
/** Parts of a quarter of the run: few, so that each is longer than a cycle of the garbage collector. */
const PARTS = 5;

/** Looks at even times. In the first half of the load a process still grows into its work. */
export function growthOf(mibUnderLoad: readonly number[], minutes: number): Growth {
  const quarter = Math.floor(mibUnderLoad.length / 4);
  const early = partsOf(mibUnderLoad.slice(-2 * quarter, -quarter));
  const late = partsOf(mibUnderLoad.slice(-quarter));
  const slopes = late.map((mib, part) => (mib - (early[part] ?? 0)) / (minutes / 4));
  const ratios = late.map((mib, part) => mib / (early[part] ?? 0));
  return {
    verdict: verdictOf({ measure: "p50", atMost: MOST }, medianInterval(ratios)) ?? "undecided",
    slope: median(slopes),
    between: medianInterval(slopes),
  };
}

/** The median of each; not a number where there are fewer looks than parts. */
const partsOf = (mib: readonly number[]): number[] =>
  Array.from({ length: PARTS }, (_, part) => {
    const at = (end: number) => Math.floor((end * mib.length) / PARTS);
    return median(mib.slice(at(part), at(part + 1)));
  });
