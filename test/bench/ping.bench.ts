/** The edge and one call over NATS, with nothing behind it: what the gateway itself costs. */
import { answers200, type BenchEnv, benchFile } from "./frame/env.ts";
import type { BenchSpec, FloorFacts } from "./frame/spec.ts";

const MINIMAL: FloorFacts = {
  name: "minimal moleculer-web over NATS",
  fairBecause:
    "the same two processes and call over NATS, with default settings; no checks, and a message each, where the gateway sends those that come together in one",
  goals: [{ measure: "rate", atLeast: 1 }],
};
export const PING = [{ method: "GET", path: "/api/ping" }];

export const bench: BenchSpec = {
  name: "ping through gateway, NATS and a service",
  issue: 2,
  hotPath: "rate",
  async setup(env) {
    const [ours, minimal] = [await startPing(env), await startMinimal(env)];
    return {
      workload: { name: "gateway", run: env.http({ url: ours, requests: PING }) },
      floors: [{ ...MINIMAL, run: env.http({ url: minimal, requests: PING }) }],
    };
  },
};

/** A gateway and a service, and nothing else in their namespace. */
export async function startPing(env: BenchEnv, PBO_NAMESPACE = env.namespace): Promise<string> {
  await env.startService("profile", { settings: { PBO_NAMESPACE } });
  return (await env.startService("gateway", { settings: { PBO_NAMESPACE } })).url;
}

async function startMinimal(env: BenchEnv): Promise<string> {
  const port = await env.freePort();
  const url = `http://127.0.0.1:${port}`;
  const network = [env.servers.natsUrl, `${env.namespace}floor`];
  await env.startScript(benchFile("floors/echo-service.ts"), network, async () => true);
  await env.startScript(
    benchFile("floors/minimal-gateway.ts"),
    [...network, String(port), "GET /api/ping", "echo.ping"],
    () => answers200(`${url}/api/ping`),
  );
  return url;
}
