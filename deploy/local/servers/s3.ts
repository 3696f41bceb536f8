/** How the platform starts and checks the embedded S3 API. */
import { fileURLToPath } from "node:url";
import { childEnv } from "../../lib/child-env.ts";
import type { StatePaths } from "../../lib/paths.ts";
import type { ProcessSpec } from "../processes/managed-process.ts";

const ANSWER_WITHIN_MS = 2_000;
const SERVER_FILE = fileURLToPath(new URL("./s3-server.ts", import.meta.url));

export const s3Endpoint = (port: number): string => `http://127.0.0.1:${port}`;

export function s3Spec(port: number, paths: StatePaths): ProcessSpec {
  return {
    name: "s3",
    server: true,
    command: process.execPath,
    args: [SERVER_FILE, paths.s3SettingsFile],
    env: childEnv(),
    isReady: () => answers(port),
    readyWithinMs: 120_000,
    stopWithinMs: 5_000,
  };
}

async function answers(port: number): Promise<boolean> {
  const response = await fetch(s3Endpoint(port), { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  await response.body?.cancel();
  return response.status === 403;
}
