/** K30, K31: the alert rules and the dashboard, against Prometheus itself and against the code's own metrics. */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "@jest/globals";
import { parse, stringify } from "yaml";
import { runCommand } from "../../deploy/local/archives/run-command.ts";
import { createMetrics, METRICS } from "../../shared/telemetry/metrics.ts";
import { findPromtool } from "./programs.ts";

const root = join(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");

type Rule = {
  alert?: string;
  record?: string;
  expr: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};
type Case = {
  name: string;
  interval: string;
  alert_rule_test: { alertname: string; exp_alerts: object[] }[];
};

const groups: { rules: Rule[] }[] = parse(read("deploy/k8s/components/monitoring/alerts.yaml")).spec.groups;
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => rule.alert);
const cases: Case[] = parse(read("test/manifests/alerts/cases.yaml"));

const folder = mkdtempSync(join(tmpdir(), "alerts-"));
afterAll(() => rmSync(folder, { recursive: true }));

function completed(testCase: Case): Case {
  const [check] = testCase.alert_rule_test;
  const rule = alerts.find(({ alert }) => alert === check?.alertname);
  for (const expected of (check?.exp_alerts ?? []) as {
    exp_labels: Record<string, string>;
    exp_annotations?: object;
  }[]) {
    const own = expected.exp_labels;
    const fill = (text: string) =>
      text.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label) => own[label] ?? "");
    expected.exp_annotations = Object.fromEntries(
      Object.entries(rule?.annotations ?? {}).map(([name, text]) => [name, fill(text)]),
    );
    expected.exp_labels = { ...own, ...rule?.labels };
  }
  return testCase;
}

async function promtool(...args: string[]): Promise<string> {
  const { ok, stdout, stderr } = await runCommand(await findPromtool(), args, {
    withinMs: 200_000,
    cwd: folder,
  });
  return ok ? "ok" : `${stdout}${stderr}`;
}

describe("the alert rules", () => {
  writeFileSync(join(folder, "rules.yaml"), stringify({ groups }));

  test("are understood by Prometheus", async () => {
    expect(await promtool("check", "rules", "rules.yaml")).toBe("ok");
  });

  /** An alert alone with the records of its case: promtool evaluates every rule of the file at every step of every case. */
  function testsOf({ alert, expr }: Rule): string[] {
    const own = cases.filter((item) => item.alert_rule_test[0]?.alertname === alert).map(completed);
    return [...Map.groupBy(own, ({ name }) => name.split(", ")[1])].map(([objective, tests], index) => {
      const isNeeded = ({ record, labels }: Rule) =>
        record && expr.includes(record) && (!objective || (labels?.objective ?? objective) === objective);
      const alone = groups.map((group) => ({
        ...group,
        rules: group.rules.filter((rule) => rule.alert === alert || isNeeded(rule)),
      }));
      const file = `${alert}-${index}`;
      writeFileSync(join(folder, `${file}.yaml`), stringify({ groups: alone }));
      const content = { rule_files: [`${file}.yaml`], evaluation_interval: tests[0]?.interval, tests };
      writeFileSync(join(folder, `${file}-tests.yaml`), stringify(content, { aliasDuplicateObjects: false }));
      return `${file}-tests.yaml`;
    });
  }

  test("fire when they should and stay quiet when they should not", async () => {
    expect(await promtool("test", "rules", ...alerts.flatMap(testsOf))).toBe("ok");
  });

  test("a rule that never fires is noticed", async () => {
    const dull = read("deploy/k8s/components/monitoring/alerts.yaml").replace(
      "oldest_age_seconds) > 60",
      "oldest_age_seconds) > 600",
    );
    const tests = cases.filter((item) => item.alert_rule_test[0]?.alertname === "OutboxWaits");
    writeFileSync(join(folder, "dull.yaml"), stringify(parse(dull).spec));
    writeFileSync(join(folder, "dull-tests.yaml"), stringify({ rule_files: ["dull.yaml"], tests }));
    expect(await promtool("test", "rules", "dull-tests.yaml")).toContain("OutboxWaits");
  });

  test("each has a case in which it fires and one in which it does not", () => {
    const counts = (fires: boolean) =>
      new Set(
        cases
          .flatMap((testCase) => testCase.alert_rule_test)
          .filter(({ exp_alerts }) => exp_alerts.length > 0 === fires)
          .map(({ alertname }) => alertname),
      );
    const names = new Set(alerts.map(({ alert }) => alert));
    expect(counts(true)).toEqual(names);
    expect(counts(false)).toEqual(names);
  });

  test("every objective burns fast and slowly in a case, and just not in another", () => {
    const objectives = new Set(
      rules.flatMap(({ record, labels }) => (record ? (labels?.objective ?? []) : [])),
    );
    expect(objectives.size).toBe(5);
    const names = cases.map(({ name }) => name);
    for (const objective of objectives)
      for (const alert of ["ObjectiveBurnsFast", "ObjectiveBurnsSlowly"])
        for (const what of ["fires", "stays quiet"])
          expect(names).toContain(`${alert} ${what}, ${objective}`);
  });

  test("each bound of an objective is an edge of the histogram's buckets", () => {
    const asked = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/(\w+)_bucket\{[^}]*le=~?"([\d.]+)/g)].map(([, name = "", le]) => [name, Number(le)]),
    );
    expect(new Set(asked.map(([name, le]) => `${name} ${le}`)).size).toBe(2);
    const table: Record<string, { type: string; buckets?: readonly number[] }> = METRICS;
    for (const [name, le] of asked) expect(table[String(name)]?.buckets).toContain(le);
  });

  test.each(alerts.map((rule) => [rule.alert ?? "", rule] as const))(
    "%s says how bad it is and what to do",
    (name, rule) => {
      expect(["page", "ticket"]).toContain(rule.labels?.severity);
      expect(rule.annotations?.summary).toBeTruthy();
      expect(rule.annotations?.runbook_url).toBe(`monitoring.runbook#${name.toLowerCase()}`);
    },
  );
});

test("Prometheus reads our OpenMetrics text, with its exemplars", async () => {
  const metrics = createMetrics("gateway", { defaults: true });
  const labels = { method: "GET", route: 'a "b"', status: "200" };
  metrics.observe(
    "http_server_request_duration_seconds",
    0.02,
    labels,
    `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`,
  );
  metrics.increment("pbo_tokens_issued_total");
  // A file is read with times, a scrape without: they come after the value.
  const dated = (await metrics.text()).replaceAll(/^([^#\n].*?\} [^\s#]+)/gm, "$1 1800000000");
  expect(dated).toContain(" 1800000000 # {trace_id=");
  writeFileSync(join(folder, "metrics.txt"), dated);
  expect(await promtool("tsdb", "create-blocks-from", "openmetrics", "metrics.txt", "blocks")).toBe("ok");
  writeFileSync(join(folder, "wrong.txt"), dated.replace(/ # \{trace_id/, " # trace_id"));
  expect(await promtool("tsdb", "create-blocks-from", "openmetrics", "wrong.txt", "blocks")).not.toBe("ok");
});

/** Not ours: from the exporters that operators run beside their servers. */
const FOREIGN = new Set([
  "certmanager_certificate_expiration_timestamp_seconds",
  "nats_server_jetstream_disabled",
  "nats_varz_slow_consumers",
  "mongodb_up",
  "mongodb_rs_members_optimeDate",
  "mongodb_pbm_backup_last_transition_ts",
]);

const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
const SUFFIX = /_(bucket|count|sum)$/;

function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, " ")
    .replaceAll(/\b(by|on|without)\s*\([^)]*\)/g, " ");
  return [...bare.matchAll(/[a-zA-Z_:][\w:]*(?!\w*\s*\()/g)]
    .map(([name]) => name)
    .filter((name) => name.includes("_") && !FUNCTIONS.has(name));
}
const FUNCTIONS = new Set([
  "histogram_quantile",
  "clamp_min",
  "min_over_time",
  "max_over_time",
  "label_replace",
]);

const dashboard = JSON.parse(read("deploy/grafana/dashboard.json"));
const queries: string[] = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) =>
  (panel.targets ?? []).map(({ expr }) => expr),
);

async function known(): Promise<Set<string>> {
  const text = await createMetrics("test", { defaults: true }).text();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)];
  return new Set(types.map(([, name = "", type]) => (type === "counter" ? `${name}_total` : name)));
}

describe.each([
  ["rules", rules.map(({ expr }) => expr), FOREIGN],
  ["dashboard", queries, new Set<string>()],
])("every metric of the %s", (_where, expressions, foreign) => {
  const named = [...new Set(expressions.flatMap(metricsIn))].filter(
    (name) => !recorded.has(name) && !foreign.has(name),
  );

  test("exists in the code's registry, as what it is", async () => {
    const all = await known();
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => !all.has(name) && !all.has(name.replace(SUFFIX, "")))).toEqual([]);
  });
});

test("every metric of the table is set somewhere in the code", () => {
  const sources = globSync("{services,gateway,shared}/**/*.ts", { cwd: root })
    .filter((file) => file !== "shared/telemetry/metrics.ts")
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const unset = Object.keys(METRICS).filter((name) => !sources.includes(`"${name}"`));
  expect(unset).toEqual([]);
});

test("every metric of the table is on the dashboard", () => {
  const shown = new Set(queries.flatMap(metricsIn).map((name) => name.replace(SUFFIX, "")));
  expect(Object.keys(METRICS).filter((name) => !shown.has(name) && !NOT_SHOWN.has(name))).toEqual([]);
});
/** Only of use as a time since; the alert looks at it. */
const NOT_SHOWN = new Set(["pbo_consumer_seen_timestamp_seconds"]);
