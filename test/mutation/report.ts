/** Results of the mistakes: counted by file and operator on the screen, one by one in a file. */
import { writeFileSync } from "node:fs";
import { explanationOf } from "./explained.ts";
import type { Judged } from "./judge-group.ts";

export const say = (line: string) => void process.stdout.write(`${line}\n`);

export const survives = ({ outcome }: Judged): boolean => outcome === "passed" || outcome === "no test";

export function report(judged: readonly Judged[], { seed, json }: { seed: string; json: string }): void {
  say("");
  const survivors = judged.filter(survives);
  for (const one of survivors) {
    const { file, line, place, operator, text, outcome } = one;
    say(`${file}:${line} ${place} (${operator})  ${text}${outcome === "no test" ? "  (no test)" : ""}`);
    say(`  ${explanationOf(one) ?? "NOT EXPLAINED"}`);
  }
  const all = countsOf(judged);
  console.table(countedBy(judged, ({ operator }) => operator));
  console.table(countedBy(judged, ({ file }) => file));
  console.table({ all });
  const [least, most] = interval(survivors.length, judged.length).map(percent);
  say(
    `Not noticed: ${survivors.length} of ${judged.length}, ${all["survived %"]} %; 95 % interval ${least} to ${most} %.`,
  );
  say(`Without an explanation: ${survivors.filter((one) => !explanationOf(one)).length}.`);
  const mistakes = judged.map(({ file, line, place, operator, text, outcome }) => ({
    file,
    line,
    place,
    operator,
    text,
    outcome,
  }));
  writeFileSync(json, JSON.stringify({ seed: Number(seed), all, mistakes }, null, 2));
  say(`All of them: ${json}`);
}

const countedBy = (judged: readonly Judged[], keyOf: (one: Judged) => string) =>
  Object.fromEntries(
    [...Map.groupBy(judged, keyOf)]
      .map(([key, some]) => [key, countsOf(some)] as const)
      .toSorted(([, a], [, b]) => b.survived - a.survived),
  );

function countsOf(judged: readonly Judged[]) {
  const count = (wanted: string) => judged.filter(({ outcome }) => outcome === wanted).length;
  const survived = judged.filter(survives).length;
  return {
    mistakes: judged.length,
    noticed: count("failed"),
    "refused by types": count("refused"),
    "timed out": count("timed out"),
    died: count("died"),
    survived,
    "survived %": percent(survived / Math.max(1, judged.length)),
  };
}

const percent = (share: number): number => Math.round(1_000 * share) / 10;

/** Two-sided, 95 %. */
const Z = 1.96;

/** Wilson's interval of a share: it also holds where nothing was found. */
export function interval(found: number, of: number): [least: number, most: number] {
  if (of === 0) return [0, 1];
  const share = found / of;
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  const [middle, scale] = [share + Z ** 2 / (2 * of), 1 + Z ** 2 / of];
  return [Math.max(0, (middle - spread) / scale), Math.min(1, (middle + spread) / scale)];
}
