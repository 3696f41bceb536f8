/** The operations port of a process: /healthz, /readyz and /metrics. Never exposed to partners. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Config } from "../config/config.ts";
import type { Health, Readiness } from "../health.ts";
import type { Lanes } from "../lanes.ts";
import type { Metrics } from "./metrics.ts";

export type OpsServer = Awaited<ReturnType<typeof startOpsServer>>;

type Deps = {
  config: Pick<Config, "opsHost" | "opsPort">;
  health: Health;
  metrics: Metrics;
  lanes: Pick<Lanes, "stuck">;
};

export async function startOpsServer({ config, health, metrics, lanes }: Deps) {
  const server = createServer((request, response) => {
    const send = (status: number, type: string, body: string) =>
      response.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(body);
    const json = (status: number, body: unknown) => send(status, "application/json", JSON.stringify(body));
    const answer = async () => {
      if (request.url === "/healthz") {
        const stuck = lanes.stuck();
        return stuck.length === 0 ? json(200, { status: "ok" }) : json(503, { status: "stuck", stuck });
      }
      if (request.url === "/readyz") {
        const readiness = await measuredReadiness(health, metrics);
        return json(readiness.ready ? 200 : 503, readiness);
      }
      if (request.url === "/metrics") {
        await measuredReadiness(health, metrics);
        return send(200, metrics.contentType, await metrics.text());
      }
      return json(404, { status: "not found" });
    };
    answer().catch(() => json(500, { status: "error" }));
  });
  await once(server.listen(config.opsPort, config.opsHost), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const PHASES = new Set(["starting", "draining"]);

/** Also run by a scrape, so that the gauges are current even where nothing probes readiness. */
async function measuredReadiness(health: Health, metrics: Metrics): Promise<Readiness> {
  const readiness = await health.readiness();
  metrics.set("pbo_ready", readiness.ready ? 1 : 0);
  for (const [dependency, state] of Object.entries(readiness.checks))
    if (!PHASES.has(dependency)) metrics.set("pbo_dependency_up", state === "ok" ? 1 : 0, { dependency });
  return readiness;
}
