/** A server on a free port below the level of HTTP: for answers that no HTTP library would send. */
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { listen } from "./listen.ts";

export type RawReceiver = Awaited<ReturnType<typeof start>>;

type Handler = (socket: Socket) => void;

/** The handler runs when the first bytes of a request came. */
export const startTlsReceiver = (options: TlsOptions, onRequest: Handler): Promise<RawReceiver> =>
  start((accept) => createTlsServer(options, accept).on("tlsClientError", () => undefined), onRequest);

export const startTcpReceiver = (onRequest: Handler): Promise<RawReceiver> =>
  start((accept) => createTcpServer(accept), onRequest);

async function start(create: (accept: Handler) => Server, onRequest: Handler) {
  let bytes = 0;
  let connections = 0;
  const server = create((socket) => {
    socket.once("data", () => onRequest(socket));
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.on("secureConnection", (socket: Socket) => void socket.on("error", () => undefined));
  const { port, sockets, close } = await listen(server);
  return {
    port,
    /** Bytes that reached a handler; with TLS, the plain ones. */
    bytesRead: () => bytes,
    connections: () => connections,
    /** Breaks the TCP connection below this socket with a reset. */
    reset({ remotePort }: Socket): void {
      for (const socket of sockets) if (socket.remotePort === remotePort) socket.resetAndDestroy();
    },
    close,
  };
}
