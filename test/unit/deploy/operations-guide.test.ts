import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { CONSUMERS, STREAMS } from "../../../shared/jetstream/streams.ts";
import { capacityTables } from "../../bench/capacity.ts";

const deploy = join(import.meta.dirname, "../../../deploy");
const page = (name: string): string => readFileSync(join(deploy, `docs/${name}.md`), "utf8");
const runbook = page("runbook");

/** As GitHub makes it of a heading. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

const anchors = new Set([...runbook.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchor(heading)));

test("runbook: each alert has an entry at its runbook_url, and no entry lacks an alert", () => {
  const groups: { rules: { alert?: string; annotations?: { runbook_url: string } }[] }[] = parse(
    readFileSync(join(deploy, "k8s/components/monitoring/alerts.yaml"), "utf8"),
  ).spec.groups;
  const alerts = groups.flatMap(({ rules }) => rules).filter(({ alert }) => alert);
  for (const { annotations } of alerts)
    expect([...anchors]).toContain(annotations?.runbook_url.split("#")[1]);
  const entries = [...runbook.matchAll(/^### (\w+)\n+(.{40,})/gm)].map(([, name]) => name);
  expect(entries.sort()).toEqual(alerts.map(({ alert }) => alert).sort());
});

test("runbook: the code writes the log lines to search for", () => {
  const named = [...runbook.matchAll(/`([a-z_]+\.[a-z_]+)`/g)].map(([, line]) => line);
  const root = join(deploy, "..");
  const code = globSync("{services,gateway,shared}/**/*.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((line) => !code.includes(`"${line}"`))).toEqual([]);
});

test("disaster recovery: streams and consumer are the code's", () => {
  const [, streams = ""] = /`nats stream rm (.+?), see/.exec(page("disaster-recovery")) ?? [];
  expect(streams.replaceAll("`", "").split(", ")).toEqual(Object.keys(STREAMS));
  const { stream, name } = CONSUMERS.deliveryRecord;
  expect(page("disaster-recovery")).toContain(`\`nats consumer rm ${stream} ${name}\``);
});

describe("the capacity tables", () => {
  const run = (servers: string, name: string, cpuMs: Record<string, number>) => ({
    machine: { cpu: "any", cores: 2 },
    servers,
    results: [{ name, workload: { cpuMs } }],
  });
  const create = "create a business with 3 people";

  test("have the newest measurement of each kind of servers, by role", () => {
    const tables = capacityTables([
      run("one copy", create, { profile: 9, mongod: 9 }),
      run("one copy", create, { profile: 0.714, mongod: 1, "script-1": 5 }),
      run("one copy", "token, private_key_jwt", { "auth-token": 0.5 }),
      run("three copies", create, { mongod: 3 }),
    ]);
    expect(tables.split("\n")).toEqual([
      "Milliseconds of a core for each, on one copy (2 cores of any):",
      "",
      "| What | auth-token | profile | mongod |",
      "| --- | --- | --- | --- |",
      "| business with three people, events recorded | – | 0.71 | 1.00 |",
      "| token issued | 0.50 | – | – |",
      "",
      "Milliseconds of a core for each, on three copies (2 cores of any):",
      "",
      "| What | mongod |",
      "| --- | --- |",
      "| business with three people, events recorded | 3.00 |",
    ]);
  });
  test("stand in the guide between their marks", () => {
    expect(page("capacity")).toMatch(
      /<!-- measured: .*? -->\n\nMilliseconds [\s\S]*?\n\n<!-- end of measured -->/,
    );
  });
  test("say so where nothing was measured", () => {
    expect(capacityTables([])).toBe("Not measured yet.");
  });
});
