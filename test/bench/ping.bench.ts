/** The edge and one call over NATS, with nothing behind it: what the gateway itself costs. */
import { answers200, type BenchEnv, benchFile } from "./frame/env.ts";
import type { BenchSpec, FloorFacts } from "./frame/spec.ts";

const PLAIN: FloorFacts = {
  name: "node:http",
  fairBecause: "the same bytes to the same load; no message bus, so it only shows what HTTP in Node costs",
  measure: "rate",
};
const MINIMAL: FloorFacts = {
  name: "minimal moleculer-web over NATS",
  fairBecause:
    "the same two processes and call over NATS, with default settings; no checks, and a message each, where the gateway sends those that come together in one",
  measure: "rate",
  atLeast: 1,
};
const ping = [{ method: "GET", path: "/api/ping" }];

export const bench: BenchSpec = {
  name: "ping through gateway, NATS and a service",
  issue: 2,
  hotPath: "rate",
  async setup(env) {
    const [ours, plain, minimal] = [await startOurs(env), await startPlain(env), await startMinimal(env)];
    return {
      workload: { name: "gateway", run: env.http({ url: ours, requests: ping }) },
      floors: [
        { ...PLAIN, run: env.http({ url: plain, requests: ping }) },
        { ...MINIMAL, run: env.http({ url: minimal, requests: ping }) },
      ],
    };
  },
};

async function startOurs(env: BenchEnv): Promise<string> {
  await env.startService("profile");
  const gateway = await env.startService("gateway");
  return gateway.url;
}

async function startPlain(env: BenchEnv): Promise<string> {
  const port = await env.freePort();
  const url = `http://127.0.0.1:${port}`;
  await env.startScript(benchFile("floors/plain-http.ts"), [String(port)], () => answers200(url));
  return url;
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
