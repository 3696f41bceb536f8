/** Chooses free ports and remembers them between starts. */
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { processEnv } from "../../shared/config/config.ts";
import { createKeyedMutex } from "../../shared/keyed-mutex.ts";
import { readJson } from "../lib/files.ts";

/** Default ports of servers the user may run. */
const RESERVED = new Set([4222, 27017]);
/** Below the kernel's range for outgoing connections, which could take the port before a restart. */
const ALL_PORTS = "20000-32000";

export type Ports = {
  /** The port this name had at the last start if it is still free, else another free one. */
  take(name: string): Promise<number>;
};

export function rememberedPorts(file: string): Ports {
  const known = readJson<Record<string, number>>(file) ?? {};
  const mutex = createKeyedMutex();
  const choose = async (name: string): Promise<number> => {
    const before = known[name];
    const port = before !== undefined && (await isFree(before)) ? before : await freePort(known);
    known[name] = port;
    writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
    return port;
  };
  return {
    // In turn, so that two names never get the same port.
    take: (name) => mutex("ports", () => choose(name)),
  };
}

export async function freePort(taken: Record<string, number> = {}): Promise<number> {
  // Parallel tests have a range each, so that none takes a port that another is about to listen on.
  const [least = 0, most = 0] = (processEnv().PBO_TEST_PORTS ?? ALL_PORTS).split("-").map(Number);
  for (;;) {
    const port = randomInt(least, most);
    if (!RESERVED.has(port) && !Object.values(taken).includes(port) && (await isFree(port))) return port;
  }
}

export function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
