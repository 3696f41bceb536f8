/** Chooses free ports and keeps them over restarts. */
import { randomInt } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

/** The servers' usual ports are left to servers that the user may run. */
const NEVER = new Set([4222, 27017]);
/** Below the range from which the kernel takes ports for outgoing connections: one of those must not be in the way of a restart. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

export type Ports = {
  /** The port that this name had at the last start when it is still free, else another free one. */
  take(name: string): Promise<number>;
};

export function rememberedPorts(file: string): Ports {
  const known = readPorts(file);
  let last: Promise<unknown> = Promise.resolve();
  const choose = async (name: string): Promise<number> => {
    const before = known[name];
    const port = before !== undefined && (await isFree(before)) ? before : await freePort(known);
    known[name] = port;
    writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
    return port;
  };
  return {
    take(name) {
      // One after the other, so that two names never get the same port.
      const taken = last.then(() => choose(name));
      last = taken.catch(() => {});
      return taken;
    },
  };
}

export async function freePort(taken: Record<string, number> = {}): Promise<number> {
  for (;;) {
    const port = randomInt(LOWEST, HIGHEST);
    if (!NEVER.has(port) && !Object.values(taken).includes(port) && (await isFree(port))) return port;
  }
}

export function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
