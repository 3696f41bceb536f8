import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";

/** The servers' usual ports are left to servers that the user may run. */
const NEVER = new Set([4222, 27017]);

export type Ports = {
  /** The port that this name had at the last start when it is still free, else another free one. */
  take(name: string): Promise<number>;
};

export function rememberedPorts(file: string): Ports {
  const known = readPorts(file);
  return {
    async take(name) {
      const before = known[name];
      const port = before !== undefined && (await isFree(before)) ? before : await freePort(known);
      known[name] = port;
      writeFileSync(file, `${JSON.stringify(known, null, 2)}\n`);
      return port;
    },
  };
}

export async function isFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return (await tryListen(port, host)) !== null;
}

export async function freePort(taken: Record<string, number> = {}): Promise<number> {
  for (;;) {
    const port = await tryListen(0, "127.0.0.1");
    if (port !== null && !NEVER.has(port) && !Object.values(taken).includes(port)) return port;
  }
}

function tryListen(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : null));
    });
  });
}

function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Record<string, number>;
  } catch {
    return {};
  }
}
