/** Closes the listener: requests in flight may finish within a deadline, idle connections are dropped. */
import type { Server } from "node:http";
import { closeIdle } from "./connections.ts";

const CHECK_MS = 50;

export function closeListener(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const check = setInterval(() => closeIdle(server), CHECK_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(check);
      clearTimeout(deadline);
      resolve();
    });
    closeIdle(server);
  });
}
