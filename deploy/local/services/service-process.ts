/** Starts a service as in production: one process per service, by moleculer-runner. */
import { join } from "node:path";
import { projectDir } from "../../lib/paths.ts";
import type { ProcessSpec } from "../processes/managed-process.ts";
import { envOf, type PlatformProcess } from "./service-env.ts";

const ANSWER_WITHIN_MS = 3_000;
const RUNNER = join(projectDir, "node_modules", "moleculer", "bin", "moleculer-runner.js");

type Options = { env: Record<string, string>; opsPort: number; watch: boolean };

export function serviceSpec(name: PlatformProcess, { env, opsPort, watch }: Options): ProcessSpec {
  return {
    name,
    server: false,
    command: process.execPath,
    args: [
      ...(watch ? ["--watch", "--watch-preserve-output"] : []),
      ...[RUNNER, "--config", "moleculer.config.ts", "--mask", "**/*.service.ts"],
      name === "gateway" ? name : `services/${name}`,
    ],
    env: { ...envOf(name, env), PBO_OPS_PORT: String(opsPort) },
    isReady: () => isReady(opsPort),
    readyWithinMs: 180_000,
    // Above the longest time that the process itself takes for an orderly stop.
    stopWithinMs: Number(env.PBO_STOP_DELAY_MS ?? 0) + Number(env.PBO_STOP_DEADLINE_MS ?? 20_000) + 2_000,
  };
}

async function isReady(opsPort: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${opsPort}/readyz`, {
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  await response.body?.cancel();
  return response.status === 200;
}
