/** A partner's https server on a free port: answers as told and remembers what it was sent. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createTestAuthority, type ServerCertificate } from "../builders/certificates.ts";
import { waitFor } from "../wait-for.ts";

export type ReceivedRequest = {
  method: string;
  path: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
  /** As they came, for signatures. */
  bytes: Buffer;
  receivedAt: number;
};

type ScriptedAnswer =
  | number
  | { status?: number; body?: string; headers?: Record<string, string> }
  /** Takes over the response; may leave it open, break it or never answer. */
  | ((request: ReceivedRequest, response: ServerResponse) => void | Promise<void>);

export type Receiver = {
  port: number;
  url(path?: string): string;
  /** The CA to trust, for PBO_WEBHOOK_CA_FILE; empty when the caller gave a certificate. */
  caFile: string;
  requests: ReceivedRequest[];
  /** TCP connections accepted so far. */
  connections(): number;
  /** From now on: the same answer to everything, or one per request and then the last again. */
  answer(...answers: ScriptedAnswer[]): void;
  waitForRequests(count: number): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
};

type Options = { certificate?: ServerCertificate; host?: string; port?: number; answer?: ScriptedAnswer };

export async function startReceiver(options: Options = {}): Promise<Receiver> {
  const host = options.host ?? "127.0.0.1";
  const authority = options.certificate ? null : await createTestAuthority();
  const { cert, key } = options.certificate ?? (await (authority as NonNullable<typeof authority>).issue());
  const requests: ReceivedRequest[] = [];
  const sockets = new Set<Duplex>();
  let accepted = 0;
  let script: ScriptedAnswer[] = [options.answer ?? 200];

  const server = createServer({ cert, key }, (incoming, response) => {
    response.on("error", () => undefined);
    collect(incoming).then(
      async (request) => {
        requests.push(request);
        await give(script.length > 1 ? (script.shift() as ScriptedAnswer) : script[0], request, response);
      },
      () => response.destroy(),
    );
  });
  server.on("tlsClientError", () => undefined);
  server.on("connection", (socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;

  return {
    port,
    url: (path = "/hook") => `https://localhost:${port}${path}`,
    caFile: authority?.caFile ?? "",
    requests,
    connections: () => accepted,
    answer: (...answers) => {
      script = [...answers];
    },
    waitForRequests: async (count) => {
      await waitFor(() => requests.length >= count, { what: `${count} webhook requests` });
      return requests;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function collect(incoming: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    headers: Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
    ),
    body: bytes.toString("utf8"),
    bytes,
    receivedAt: Date.now(),
  };
}

async function give(
  answer: ScriptedAnswer = 200,
  request: ReceivedRequest,
  response: ServerResponse,
): Promise<void> {
  if (typeof answer === "function") return answer(request, response);
  const { status = 200, body = "", headers = {} } = typeof answer === "number" ? { status: answer } : answer;
  response.writeHead(status, headers).end(body);
}
