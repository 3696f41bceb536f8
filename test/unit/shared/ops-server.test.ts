import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createHealth } from "../../../shared/health.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { type OpsServer, startOpsServer } from "../../../shared/telemetry/ops-server.ts";

let server: OpsServer;
beforeAll(async () => {
  server = await startOpsServer({
    config: { opsHost: "127.0.0.1", opsPort: 0 },
    health: createHealth(),
    metrics: createMetrics("gateway"),
    lanes: { stuck: () => [] },
  });
});
afterAll(() => server.close());

/** As Prometheus asks: OpenMetrics first, its own older format after it. */
const PROMETHEUS =
  "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

test.each([
  ["who asks for OpenMetrics", PROMETHEUS, "application/openmetrics-text", true],
  ["who does not", "text/plain", "text/plain", false],
])("/metrics answers %s in the format they read", async (_who, accept, type, isOpen) => {
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { accept } });
  expect(answer.headers.get("content-type")).toContain(type);
  const text = await answer.text();
  expect([text.endsWith("# EOF\n"), text.includes('pbo_ready{process="gateway"} 1\n')]).toEqual([
    isOpen,
    true,
  ]);
});
