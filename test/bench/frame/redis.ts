/** A redis-server for a peer. It writes every change to its disk before it answers, as our databases do. */
import { findProgram } from "../../../deploy/local/servers/find-program.ts";
import { processEnv } from "../../../shared/config/config.ts";
import type { BenchEnv } from "./env.ts";
import { openConnection } from "./http-exchange.ts";

const SETTING = "PBO_TEST_REDIS_SERVER";
const NO_SNAPSHOTS = ["--save", ""];
const SYNCED = ["--appendonly", "yes", "--appendfsync", "always"];

const ROLE = "redis";
export const WITHOUT_REDIS = `no redis-server on the PATH or named by ${SETTING}`;

/** Its port; null when this machine has no redis-server. */
export async function startRedis(env: BenchEnv): Promise<number | null> {
  const { [SETTING]: named, PATH } = processEnv();
  const program = named || findProgram("redis-server", PATH, ["/usr/bin", "/usr/local/bin"]);
  if (!program) return null;
  const port = await env.freePort();
  const place = ["--bind", "127.0.0.1", "--port", String(port), "--dir", env.dir];
  await env.startProgram(ROLE, program, [...place, ...NO_SNAPSHOTS, ...SYNCED], async () => {
    (await openConnection("127.0.0.1", port)).close();
    return true;
  });
  return port;
}
