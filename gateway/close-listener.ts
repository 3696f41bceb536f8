/** Takes no new connection, lets requests in hand finish, and does not wait for idle keep-alive sockets. */
import type { Server } from "node:http";

const IDLE_CHECK_MS = 50;

export function closeListener(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });
}
