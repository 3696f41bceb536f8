/** Writes the newest results of `npm run bench` into the scaling chapter: deploy/run-node test/bench/capacity.ts [folder of results] */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

type Result = { name: string; workload: { cpuMs: Readonly<Record<string, number>> } };
type Run = { machine: { cpu: string; cores: number }; servers: string; results: readonly Result[] };

/** Rows of the chapter and the measurement each is taken from. */
const ROWS: readonly { label: string; measurement: RegExp }[] = [
  { label: "business with three people, events recorded", measurement: /^create a business/ },
  { label: "event recorded, webhook sent, outcome stored", measurement: /^deliveries, event committed/ },
  { label: "token issued", measurement: /^token/ },
  { label: "business read by id", measurement: /^read a business by id/ },
  { label: "upload link given", measurement: /^upload-link/ },
];

/** Processes that an operator sizes, without the load generators. */
const ROLES = "gateway auth-token profile document webhook-registry delivery mongod nats".split(" ");

const NOTHING = "–";

/** A table per kind of servers: milliseconds of a core that an operation costs each role. */
export function capacityTables(runs: readonly Run[]): string {
  const kinds = [...Map.groupBy(runs, ({ servers }) => servers)].toSorted(([a], [b]) => a.localeCompare(b));
  return kinds.length === 0
    ? "Not measured yet."
    : kinds.map(([servers, own]) => tableOf(servers, own)).join("\n\n");
}

function tableOf(servers: string, runs: readonly Run[]): string {
  const rows = ROWS.map(({ label, measurement }) => ({
    label,
    cpuMs: runs.flatMap(({ results }) => results).findLast(({ name }) => measurement.test(name))?.workload
      .cpuMs,
  })).filter(({ cpuMs }) => cpuMs !== undefined);
  const roles = ROLES.filter((role) => rows.some(({ cpuMs }) => cpuMs?.[role]));
  const { cpu, cores } = runs.at(-1)?.machine ?? { cpu: "an unknown processor", cores: 0 };
  return [
    `Milliseconds of a core for each, on ${servers} (${cores} cores of ${cpu}):`,
    "",
    line(["What", ...roles]),
    line(["---", ...roles.map(() => "---")]),
    ...rows.map(({ label, cpuMs }) => line([label, ...roles.map((role) => figure(cpuMs?.[role]))])),
  ].join("\n");
}

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const figure = (ms: number | undefined): string => (ms === undefined ? NOTHING : ms.toFixed(2));

if (import.meta.main) {
  const folder = process.argv[2] ?? join(import.meta.dirname, "results");
  const runs = globSync("{.,three-copies*}/*.json", { cwd: folder })
    .sort((a, b) => basename(a).localeCompare(basename(b)))
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Run);
  const readme = join(import.meta.dirname, "../../deploy/docs/capacity.md");
  const text = readFileSync(readme, "utf8").replace(
    /(<!-- measured: .*? -->\n\n)[\s\S]*?(\n\n<!-- end of measured -->)/,
    (_, before, after) => `${before}${capacityTables(runs)}${after}`,
  );
  writeFileSync(readme, text);
}
