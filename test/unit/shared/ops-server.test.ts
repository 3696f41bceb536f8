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

test.each(["text/plain", "application/openmetrics-text;version=1.0.0", undefined])(
  "/metrics answers in OpenMetrics, also to a client that accepts %s",
  async (accept) => {
    const headers = accept ? { accept } : {};
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers });
    expect(answer.headers.get("content-type")).toContain("application/openmetrics-text");
    const text = await answer.text();
    expect(text).toContain('pbo_ready{process="gateway"} 1\n');
    expect(text.endsWith("# EOF\n")).toBe(true);
  },
);
