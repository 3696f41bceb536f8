/** A server on a free port of this machine, and its end together with its connections. */
import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

export async function listen(server: Server, port = 0, host = "127.0.0.1") {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await once(server.listen(port, host), "listening");
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
