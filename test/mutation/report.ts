/** Results of the mistakes: counted by kind of file on the screen, one by one in a file. */
import { writeFileSync } from "node:fs";
import type { Judged } from "./judge-group.ts";

export const say = (line: string) => void process.stdout.write(`${line}\n`);

export const survives = ({ outcome }: Judged): boolean => outcome === "passed" || outcome === "no test";

const KINDS = ["rules", "repository", "consumer"];
const kindOf = ({ file }: Judged): string => KINDS.find((kind) => file.endsWith(`.${kind}.ts`)) ?? "loop";

export function report(judged: readonly Judged[], { seed, json }: { seed: string; json: string }): void {
  say("");
  for (const { file, line, text, outcome } of judged.filter(survives))
    say(`${file}:${line}  ${text}${outcome === "no test" ? "  (no test)" : ""}`);
  const counts = Object.fromEntries([
    ...[...Map.groupBy(judged, kindOf)].map(([kind, some]) => [kind, countsOf(some)]),
    ["all", countsOf(judged)],
  ]);
  console.table(counts);
  const mistakes = judged.map(({ file, line, text, outcome }) => ({ file, line, text, outcome }));
  writeFileSync(json, JSON.stringify({ seed: Number(seed), counts, mistakes }, null, 2));
  say(`All of them: ${json}`);
}

function countsOf(judged: readonly Judged[]) {
  const count = (wanted: string) => judged.filter(({ outcome }) => outcome === wanted).length;
  const survived = judged.filter(survives).length;
  return {
    files: new Set(judged.map(({ file }) => file)).size,
    mistakes: judged.length,
    noticed: count("failed"),
    "timed out": count("timed out"),
    survived,
    "survived %": Math.round((1_000 * survived) / Math.max(1, judged.length)) / 10,
  };
}
