/** A TCP proxy before a server: what goes wrong between two machines, done to a connection. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * up: from the client to the server; down: back. A held direction keeps its bytes and gives them on when it is opened,
 * as a network does that was away for less than a connection's patience.
 */
export type LinkMode =
  | "pass"
  | "refuse"
  | "hold"
  | "hold-up"
  | "hold-down"
  | { delayMs: number }
  | { trickleBytes: number };

export type Wire = {
  /** For connections that exist and for new ones. "refuse" also ends those that exist. */
  set(mode: LinkMode): void;
  /** Resets every connection; new ones are taken. */
  cut(): void;
  /** Ends the server's side of every connection: the client reads an end, and may still write. */
  halfClose(): void;
  /**
   * Ends the server's side of the connections that are chosen, and tells the client nothing: as after a power failure, or
   * when a gateway between them forgot them. What the client sends on them is taken and lost; new ones are good.
   */
  forget(isChosen: () => boolean): void;
  connections(): number;
};

export type Link = Wire & {
  /** The server's address, by way of this link. */
  url: string;
  close(): Promise<void>;
};

type Direction = "up" | "down";
type Pair = { client: Socket; server: Socket };

const TRICKLE_EVERY_MS = 5;

export async function startLink(serverUrl: string): Promise<Link> {
  const { hostname: host, port } = new URL(serverUrl);
  const { take, ...wire } = newWire({ host, port: Number(port) });
  const server = createServer({ allowHalfOpen: true }, take);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    ...wire,
    url: throughPort(serverUrl, (server.address() as AddressInfo).port),
    async close() {
      wire.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Without a listener: connections are handed to it. */
export function newWire(target: { host: string; port: number }): Wire & { take(client: Socket): void } {
  const pairs = new Set<Pair>();
  const openings = new Set<() => void>();
  let mode: LinkMode = "pass";

  const isHeld = (direction: Direction) => mode === "hold" || mode === `hold-${direction}`;
  async function untilOpen(direction: Direction): Promise<void> {
    while (isHeld(direction)) await new Promise<void>((resolve) => openings.add(resolve));
  }

  async function forward(chunk: Buffer, to: Socket, direction: Direction): Promise<void> {
    await untilOpen(direction);
    if (typeof mode === "object" && "trickleBytes" in mode) return trickle(chunk, to, mode.trickleBytes);
    if (typeof mode === "object") await sleep(mode.delayMs);
    await write(to, chunk);
  }

  function pump(from: Socket, to: Socket, direction: Direction): void {
    from.on("data", (chunk: Buffer) => {
      from.pause();
      void forward(chunk, to, direction).then(() => from.resume());
    });
    from.on("end", () => void untilOpen(direction).then(() => to.end()));
    from.on("error", () => to.destroy()).on("close", () => to.destroy());
  }

  function take(client: Socket): void {
    if (mode === "refuse") return void client.resetAndDestroy();
    const behind = connect({ ...target, allowHalfOpen: true });
    for (const socket of [client, behind]) socket.setNoDelay(true);
    const pair = { client, server: behind };
    pairs.add(pair);
    client.on("close", () => pairs.delete(pair));
    pump(client, behind, "up");
    pump(behind, client, "down");
  }

  const cut = () => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.destroy();
    }
  };
  return {
    take,
    set(next) {
      mode = next;
      if (next === "refuse") cut();
      for (const open of openings) open();
      openings.clear();
    },
    cut,
    halfClose() {
      for (const { client } of pairs) client.end();
    },
    forget(isChosen) {
      for (const pair of pairs) {
        if (!isChosen()) continue;
        for (const socket of [pair.client, pair.server])
          for (const event of ["data", "end", "close"]) socket.removeAllListeners(event);
        pair.client.on("data", () => undefined).on("close", () => pairs.delete(pair));
        pair.server.destroy();
      }
    },
    connections: () => pairs.size,
  };
}

function throughPort(serverUrl: string, port: number): string {
  const url = new URL(serverUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  // A driver that knows of a replica set would go to the members' own addresses.
  if (url.protocol === "mongodb:") {
    url.searchParams.delete("replicaSet");
    url.searchParams.set("directConnection", "true");
  }
  return url.href;
}

async function trickle(chunk: Buffer, to: Socket, bytes: number): Promise<void> {
  for (let at = 0; at < chunk.length && !to.destroyed; at += bytes) {
    await write(to, chunk.subarray(at, at + bytes));
    await sleep(TRICKLE_EVERY_MS);
  }
}

async function write(to: Socket, chunk: Buffer): Promise<void> {
  if (to.destroyed || to.writableEnded || to.write(chunk)) return;
  await Promise.race([once(to, "drain"), once(to, "close")]).catch(() => undefined);
}
