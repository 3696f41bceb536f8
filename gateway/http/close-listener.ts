/** Takes no new connection, lets requests in hand finish within a deadline, and waits for nobody else. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

const CHECK_MS = 50;

/** Connections without a request in hand; Node counts one that has never sent anything as busy. */
const unused = new WeakMap<Server, Set<Socket>>();

export function trackConnections(server: Server): void {
  const sockets = new Set<Socket>();
  unused.set(server, sockets);
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.on("request", ({ socket }, response) => {
    sockets.delete(socket);
    response.once("close", () => {
      if (!socket.destroyed) sockets.add(socket);
    });
  });
}

export function closeListener(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const closeUnused = () => {
      for (const socket of unused.get(server) ?? []) socket.destroy();
    };
    const check = setInterval(closeUnused, CHECK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(check);
      clearTimeout(deadline);
      resolve();
    });
    closeUnused();
  });
}
