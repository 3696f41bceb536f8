/** A partner's https server on a free port: answers as told and remembers what it was sent. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { createTestAuthority, type ServerCertificate } from "../builders/certificates.ts";
import { waitFor } from "../wait-for.ts";
import { listen } from "./listen.ts";

export type ReceivedRequest = {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** As they came, for signatures. */
  bytes: Buffer;
  receivedAt: number;
  /** The status that was sent, when the exchange is over; null for none. */
  answered: number | null;
};

type ScriptedAnswer =
  | number
  | { status?: number; body?: string; headers?: Record<string, string> }
  /** Takes over the response; may leave it open, break it or never answer. */
  | ((request: ReceivedRequest, response: ServerResponse) => void | Promise<void>);

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

type Options = {
  certificate?: ServerCertificate;
  /** In its address. */
  name?: string;
  host?: string;
  port?: number;
  answer?: ScriptedAnswer;
};

export async function startReceiver(options: Options = {}) {
  const authority = options.certificate ? null : await createTestAuthority();
  const { cert, key } = options.certificate ?? (await (authority as NonNullable<typeof authority>).issue());
  const requests: ReceivedRequest[] = [];
  let accepted = 0;
  let script: ScriptedAnswer[] = [options.answer ?? 200];

  const server = createServer({ cert, key }, (incoming, response) => {
    response.on("error", () => undefined);
    collect(incoming).then(
      async (request) => {
        requests.push(request);
        response.once("close", () => {
          if (response.headersSent) request.answered = response.statusCode;
        });
        await give(script.length > 1 ? (script.shift() as ScriptedAnswer) : script[0], request, response);
      },
      () => response.destroy(),
    );
  });
  server.on("tlsClientError", () => undefined);
  server.on("connection", () => {
    accepted += 1;
  });
  const { port, close } = await listen(server, options.port, options.host);

  return {
    port,
    url: (path = "/hook") => `https://${options.name ?? "localhost"}:${port}${path}`,
    /** The CA to trust, for PBO_WEBHOOK_CA_FILE; empty when the caller gave a certificate. */
    caFile: authority?.caFile ?? "",
    requests,
    connections: () => accepted,
    /** Also ends every connection, so that the certificate is checked again. */
    present(certificate: ServerCertificate): void {
      server.setSecureContext(certificate);
      server.closeAllConnections();
    },
    disconnect: () => server.closeAllConnections(),
    /** From now on: the same answer to everything, or one per request and then the last again. */
    answer(...answers: ScriptedAnswer[]): void {
      script = answers;
    },
    async waitForRequests(count: number): Promise<ReceivedRequest[]> {
      await waitFor(() => requests.length >= count, `${count} webhook requests`);
      return requests;
    },
    close,
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
    answered: null,
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
