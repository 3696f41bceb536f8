/** A door in front of the S3 API that a test can shut, or leave open with nobody answering. */
import { connect, createServer, type Socket } from "node:net";
import { testServers } from "../servers/servers.ts";

export type Gate = { url: string; set(mode: "pass" | "refuse" | "hang"): void; close(): Promise<void> };

export async function startGate(): Promise<Gate> {
  const { hostname, port } = new URL(testServers().s3.endpoint);
  const sockets = new Set<Socket>();
  let mode: Parameters<Gate["set"]>[0] = "pass";
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
  };
  const server = createServer((socket) => {
    keep(socket);
    if (mode === "refuse") return socket.destroy();
    if (mode === "hang") return socket.resume();
    const behind = connect(Number(port), hostname);
    keep(behind);
    socket.pipe(behind).pipe(socket);
    return socket.on("close", () => behind.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address() as { port: number };
  const shut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${address.port}`,
    set(next) {
      mode = next;
      shut();
    },
    async close() {
      shut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
