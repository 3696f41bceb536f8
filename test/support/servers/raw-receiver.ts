/** A server on a free port below the level of HTTP: for answers that no HTTP library would send. */
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";

export type RawReceiver = {
  port: number;
  /** Bytes that reached a handler; with TLS, the plain ones. */
  bytesRead(): number;
  connections(): number;
  /** Breaks the TCP connection below this socket with a reset. */
  reset(socket: Socket): void;
  close(): Promise<void>;
};

type Handler = (socket: Socket) => void;

/** The handler runs when the first bytes of a request came. */
export const startTlsReceiver = (options: TlsOptions, onRequest: Handler): Promise<RawReceiver> =>
  listen((accept) => createTlsServer(options, accept).on("tlsClientError", () => undefined), onRequest);

export const startTcpReceiver = (onRequest: Handler): Promise<RawReceiver> =>
  listen((accept) => createTcpServer(accept), onRequest);

async function listen(create: (accept: Handler) => Server, onRequest: Handler): Promise<RawReceiver> {
  const sockets = new Set<Socket>();
  let bytes = 0;
  let connections = 0;
  const server = create((socket) => {
    socket.once("data", () => onRequest(socket));
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
  });
  server.on("connection", (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  server.on("secureConnection", (socket: Socket) => void socket.on("error", () => undefined));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    bytesRead: () => bytes,
    connections: () => connections,
    reset: ({ remotePort }) => {
      for (const socket of sockets) if (socket.remotePort === remotePort) socket.resetAndDestroy();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
