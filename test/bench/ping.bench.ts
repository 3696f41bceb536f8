/** The edge and one call over NATS, with nothing behind it: what the gateway itself costs. */
import { answers200, type BenchEnv, benchFile } from "./frame/env.ts";
import type { BenchSpec } from "./frame/spec.ts";

const PLAIN = "node:http";
const MINIMAL = "minimal moleculer-web over NATS";
const ping = [{ method: "GET", path: "/api/ping" }];

export const bench: BenchSpec = {
  name: "ping through gateway, NATS and a service",
  issue: 2,
  isHotPath: true,
  goals: [{ measure: "rate", against: MINIMAL, atLeast: 0.9 }],
  async setup(env) {
    const [ours, plain, minimal] = [await startOurs(env), await startPlain(env), await startMinimal(env)];
    return {
      workload: env.httpWorkload("gateway", { url: ours, requests: ping }),
      floors: [
        env.httpWorkload(PLAIN, { url: plain, requests: ping }),
        env.httpWorkload(MINIMAL, { url: minimal, requests: ping }),
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
