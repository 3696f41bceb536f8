/** The HTTP listener: slow senders and readers are cut off, and malformed requests get our headers too. */
import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { connectionOf, serveInTurn } from "./connections.ts";
import { framingFault } from "./request-framing.rules.ts";
import { securityHeaders } from "./security-headers.ts";

type HttpDeadlines = {
  headersMs: number;
  /** Headers and body together. */
  requestMs: number;
  /** For the caller to read the whole answer. */
  answerMs: number;
  keepAliveMs: number;
  /** How often deadlines are checked; Node's default of 30 s is too coarse for them. */
  checkEveryMs: number;
};

const DEADLINES: HttpDeadlines = {
  headersMs: 10_000,
  requestMs: 30_000,
  answerMs: 27_000,
  // Longer than the usual idle timeout of load balancers, so that they close first.
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
};

export function createHttpServer(
  handler: RequestListener,
  isHttps: boolean,
  deadlines: HttpDeadlines = DEADLINES,
): Server {
  const server = createServer({
    headersTimeout: deadlines.headersMs,
    requestTimeout: deadlines.requestMs,
    keepAliveTimeout: deadlines.keepAliveMs,
    connectionsCheckingInterval: deadlines.checkEveryMs,
  });
  const headers = securityHeaders(isHttps);
  const refusal = (): (readonly [string, string])[] => [
    ...headers,
    ["Svc-Request-Id", randomUUID()],
    ["Content-Length", "0"],
    ["Connection", "close"],
  ];
  const serve: RequestListener = (request, response) => {
    const fault = framingFault(request);
    if (fault === null) handler(request, response);
    else response.writeHead(fault, refusal().flat()).end();
  };
  serveInTurn(server, serve, deadlines);
  server.on("clientError", (error: Error & { code?: string }, socket: Socket) => {
    const [status, words] = STATUS_OF[error.code ?? ""] ?? [400, "Bad Request"];
    if (!mayStillRefuse(server, socket, status)) return void socket.destroySoon();
    const lines = refusal().map(([name, value]) => `${name}: ${value}\r\n`);
    // Later bytes are not read: a request that was refused as late would still be served.
    socket.end(`HTTP/1.1 ${status} ${words}\r\n${lines.join("")}\r\n`, () => socket.destroy());
  });
  return server;
}

/** False when the caller has disconnected, or would take the refusal for the answer to another request. */
function mayStillRefuse(server: Server, socket: Socket, status: number): boolean {
  if (!socket.writable) return false;
  const { current = null, newest = null } = connectionOf(server, socket) ?? {};
  if (newest === null || newest.request.complete) return current === null;
  if (current !== newest || newest.response.headersSent) return false;
  newest.response.statusCode = status;
  return true;
}

const STATUS_OF: Record<string, readonly [number, string]> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, "Payload Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};
