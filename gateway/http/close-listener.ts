/** Closes the listener: requests in flight may finish within a deadline, idle connections are dropped. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

const CHECK_MS = 50;

/** Connections without a request in flight; Node counts one that never sent anything as busy. */
const idle = new WeakMap<Server, Set<Socket>>();

export function trackConnections(server: Server): void {
  const sockets = new Set<Socket>();
  idle.set(server, sockets);
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
    const closeIdle = () => {
      for (const socket of idle.get(server) ?? []) socket.destroy();
    };
    const check = setInterval(closeIdle, CHECK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(check);
      clearTimeout(deadline);
      resolve();
    });
    closeIdle();
  });
}
