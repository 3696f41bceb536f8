/** The connections of a listener: each has one request served at a time, and is closed when its answer is not read. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

type Exchange = { request: IncomingMessage; response: ServerResponse };
export type Connection = {
  /** The request that is being served. */
  current: Exchange | null;
  /** The newest request, whose body may still arrive. */
  newest: Exchange | null;
  /** Pipelined requests that arrived meanwhile. */
  waiting: Exchange[];
  /** First time that a finished answer was found unsent; 0 until then. */
  unreadSince: number;
};

type Deadlines = { answerMs: number; checkEveryMs: number };

/** Browsers and HTTP libraries pipeline none, benchmarks ten or so. */
const MAX_WAITING = 32;

const connectionsOf = new WeakMap<Server, Map<Socket, Connection>>();

export function serveInTurn(server: Server, serve: RequestListener, deadlines: Deadlines): void {
  const connections = new Map<Socket, Connection>();
  connectionsOf.set(server, connections);
  server.on("connection", (socket) => {
    connections.set(socket, { current: null, newest: null, waiting: [], unreadSince: 0 });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket);
    if (!connection || socket.destroyed) return;
    const exchange = { request, response };
    connection.newest = exchange;
    if (connection.current === null) return begin(socket, connection, exchange);
    if (connection.waiting.push(exchange) > MAX_WAITING) socket.destroy();
  });
  closeUnread(server, connections, deadlines);

  function begin(socket: Socket, connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange;
    connection.current = exchange;
    response.once("close", () => {
      connection.current = connection.waiting.shift() ?? null;
      connection.unreadSince = 0;
      const next = connection.current;
      // Other connections come first, so that one with many requests does not keep them waiting.
      if (next) setImmediate(() => socket.destroyed || begin(socket, connection, next));
    });
    serve(request, response);
  }
}

function closeUnread(
  server: Server,
  connections: ReadonlyMap<Socket, Connection>,
  { answerMs, checkEveryMs }: Deadlines,
): void {
  const check = () => {
    const now = performance.now();
    for (const [socket, connection] of connections) {
      if (!connection.current?.response.writableEnded) continue;
      connection.unreadSince ||= now;
      if (now - connection.unreadSince >= answerMs) socket.destroy();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.on("listening", () => {
    timer = setInterval(check, checkEveryMs).unref();
  });
  server.on("close", () => clearInterval(timer));
}

export const connectionOf = (server: Server, socket: Socket): Connection | undefined =>
  connectionsOf.get(server)?.get(socket);

const CHECK_IDLE_MS = 50;

/** Closes the listener: requests in flight may finish within a deadline, idle connections are dropped. */
export function closeListener(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const check = setInterval(() => closeIdle(server), CHECK_IDLE_MS);
    const deadline = setTimeout(() => server.closeAllConnections(), withinMs);
    server.close(() => {
      clearInterval(check);
      clearTimeout(deadline);
      resolve();
    });
    closeIdle(server);
  });
}

/** Connections without a request in flight; Node counts a silent connection as busy. */
function closeIdle(server: Server): void {
  for (const [socket, { current }] of connectionsOf.get(server) ?? []) if (!current) socket.destroy();
}
