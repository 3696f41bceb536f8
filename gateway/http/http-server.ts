/** The HTTP listener: slow senders are cut off, and malformed requests get our headers too. */
import { randomUUID } from "node:crypto";
import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { trackConnections } from "./close-listener.ts";
import { securityHeaders } from "./security-headers.ts";

type HttpDeadlines = {
  headersMs: number;
  /** Headers and body together. */
  requestMs: number;
  keepAliveMs: number;
  /** How often deadlines are checked; Node's default of 30 s is too coarse for them. */
  checkEveryMs: number;
};

const DEADLINES: HttpDeadlines = {
  headersMs: 10_000,
  requestMs: 30_000,
  // Longer than the usual idle timeout of load balancers, so that they close first.
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
};

export function createHttpServer(
  handler: RequestListener,
  isHttps: boolean,
  { headersMs, requestMs, keepAliveMs, checkEveryMs }: HttpDeadlines = DEADLINES,
): Server {
  const server = createServer(
    {
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkEveryMs,
    },
    handler,
  );
  trackConnections(server);
  const headers = securityHeaders(isHttps).map(([name, value]) => `${name}: ${value}\r\n`);
  server.on(
    "clientError",
    (error: Error & { code?: string }, socket: Socket & { _httpMessage?: unknown }) => {
      // An answer has begun already, or nobody is there to read one.
      if (!socket.writable || socket._httpMessage) return socket.destroy(error);
      const status = STATUS_OF[error.code ?? ""] ?? "400 Bad Request";
      const id = `Svc-Request-Id: ${randomUUID()}\r\n`;
      const head = `HTTP/1.1 ${status}\r\n${headers.join("")}${id}`;
      // What still comes is not read: a request that was refused as late would be served all the same.
      socket.end(`${head}Content-Length: 0\r\nConnection: close\r\n\r\n`, () => socket.destroy());
    },
  );
  return server;
}

const STATUS_OF: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};
