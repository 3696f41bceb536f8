import { describe, expect, test } from "@jest/globals";
import { createMetrics, METRICS } from "../../../shared/telemetry/metrics.ts";
import { waitFor } from "../../support/wait-for.ts";

describe("metrics", () => {
  test("every row of the table is in the output, with its help and type", async () => {
    const text = await createMetrics("gateway").text();
    for (const [name, { help, type }] of Object.entries(METRICS)) {
      const family = name.replace(/_total$/, "");
      expect(text).toContain(`# HELP ${family} ${help}`);
      expect(text).toContain(`# TYPE ${family} ${type}`);
    }
    expect(text.endsWith("# EOF\n")).toBe(true);
  });

  test("counters count, gauges hold, histograms measure; each line names the process", async () => {
    const metrics = createMetrics("gateway");
    metrics.increment("pbo_events_consumed_total", { result: "recorded" });
    metrics.increment("pbo_events_consumed_total", { result: "recorded" }, 4);
    metrics.set("pbo_outbox_pending", 3);
    metrics.set("pbo_outbox_pending", 2);
    const labels = { method: "GET", route: "/api/ping", status: "200" };
    metrics.observe("http_server_request_duration_seconds", 0.02, labels);
    const text = await metrics.text();
    expect(text).toMatch(
      /^pbo_events_consumed_total\{(?=.*result="recorded")(?=.*process="gateway").*\} 5$/m,
    );
    expect(text).toMatch(/^pbo_outbox_pending\{process="gateway"\} 2$/m);
    expect(text).toMatch(/^http_server_request_duration_seconds_count\{.*route="\/api\/ping".*\} 1$/m);
    expect(text).toMatch(/_bucket\{(?=.*le="0.025").*\} 1$/m);
    expect(text).toMatch(/_bucket\{(?=.*le="0.01",).*\} 0$/m);
  });

  test("a bucket shows the trace of one request that fell into it", async () => {
    const metrics = createMetrics("gateway");
    const labels = { method: "GET", route: "/api/ping", status: "200" };
    const trace = "0af7651916cd43dd8448eb211c80319c";
    metrics.observe("http_server_request_duration_seconds", 0.02, labels, `00-${trace}-b7ad6b7169203331-01`);
    metrics.observe("http_server_request_duration_seconds", 0.2, labels);
    const lines = (await metrics.text()).split("\n").filter((line) => line.includes(" # {"));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(new RegExp(`_bucket\\{le="0.025",.*\\} 1 # \\{trace_id="${trace}"\\} 0.02 `));
  });

  test("no label names a tenant, a person or an endpoint", () => {
    for (const spec of Object.values(METRICS))
      for (const label of "labels" in spec ? spec.labels : [])
        expect(label).not.toMatch(/partner|customer|client|endpoint|user|email|url|address|requestId/i);
  });

  test("names follow Prometheus: seconds for times, _total for counters and for nothing else", () => {
    for (const [name, { type }] of Object.entries(METRICS)) {
      expect([name, name.endsWith("_total")]).toEqual([name, type === "counter"]);
      if (type === "histogram") expect(name).toMatch(/_seconds$/);
    }
  });

  test("two processes in one test do not share figures", async () => {
    const [one, other] = [createMetrics("gateway"), createMetrics("profile")];
    one.set("pbo_ready", 1);
    expect(await other.text()).not.toMatch(/^pbo_ready\{.*\} 1$/m);
  });
});

test("the event loop is sampled five times a second, so an idle process sleeps", async () => {
  const metrics = createMetrics("test", { defaults: true });
  // A reading resets the figures, so the next one may be empty.
  const leastLag = async () => {
    const seconds = Number(/^nodejs_eventloop_lag_min_seconds\S* (\S+)$/m.exec(await metrics.text())?.[1]);
    return seconds < 1 && seconds;
  };
  expect(await waitFor(leastLag, "a sample")).toBeGreaterThan(0.1);
});
