/** Writes the newest results of `npm run bench` into the scaling chapter: deploy/run-node deploy/capacity.ts [folder of results] */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Result = { name: string; workload: { rate: number; p99Ms: number } };
type Run = { machine: { cpu: string; cores: number }; results: Result[] };

/** Rows of the chapter and the measurement each is taken from. */
const ROWS: readonly { label: string; measurement: RegExp }[] = [
  { label: "create a business with three people", measurement: /^create a business/ },
  { label: "committed change to recorded event", measurement: /^committed change/ },
  { label: "event recorded, webhook sent, outcome stored", measurement: /^deliveries, event committed/ },
  { label: "token issued", measurement: /^token/ },
  { label: "business read by id", measurement: /^read a business by id/ },
  { label: "upload link given", measurement: /^upload-link/ },
];

const HEAD = [
  "| What | Measured per core of one machine | Cores for 1,000 a second |",
  "| --- | --- | --- |",
];

const WANTED_RATE = 1_000;
const LOAD = 0.6;
/** Sized so that two of three zones carry the load. */
const ZONES = 3;

export function capacityTable(runs: readonly Run[]): string {
  const rows = ROWS.map(({ label, measurement }) => {
    const run = runs.findLast(({ results }) => results.some(({ name }) => measurement.test(name)));
    const found = run?.results.find(({ name }) => measurement.test(name));
    if (!run || !found) return `| ${label} | not measured on a quiet machine yet | – |`;
    const perCore = found.workload.rate / run.machine.cores;
    const cores = Math.ceil(((WANTED_RATE / perCore / LOAD) * ZONES) / (ZONES - 1));
    return `| ${label} | ${Math.round(perCore)} a second (all servers on the same cores) | ${cores} |`;
  });
  return [...HEAD, ...rows].join("\n");
}

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "../test/bench/results");
  const runs = readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Run);
  const readme = join(import.meta.dirname, "README.md");
  const text = readFileSync(readme, "utf8").replace(
    /(<!-- measured: .*? -->\n\n)[\s\S]*?(\n\n<!-- end of measured -->)/,
    (_, before, after) => `${before}${capacityTable(runs)}${after}`,
  );
  writeFileSync(readme, text);
}
