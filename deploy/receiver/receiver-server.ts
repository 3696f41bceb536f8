/** The https server of the receiver: reads, verifies, deduplicates, answers and prints a webhook. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { unwrap } from "../client/typescript/src/webhooks.ts";
import type { Received } from "./describe-event.ts";
import { seenEvents } from "./seen-events.ts";

export type ReceiverSettings = {
  cert: string;
  key: string;
  port: number;
  path: string;
  /** Status for a verified event. */
  answer: number;
  tell(received: Received): void;
};

export type ReceiverServer = {
  url: string;
  /** A verified event was signed with one of these. */
  trust(secrets: readonly string[]): void;
  close(): Promise<void>;
};

const MAX_BODY_BYTES = 1_048_576;

export async function startReceiverServer(settings: ReceiverSettings): Promise<ReceiverServer> {
  const { cert, key, path, tell } = settings;
  const seen = seenEvents();
  let secrets: readonly string[] = [];

  const server = createServer({ cert, key }, (request, response) => {
    receive(request, response).catch(() => response.destroy());
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || request.url?.split("?")[0] !== path) return send(response, 404);
    const bytes = await readBody(request);
    if (!bytes) return send(response, 413);
    const headers = flatHeaders(request);
    // The bytes as they came: parsing first and serialising again would change them.
    const verified = isSigned(bytes, headers, secrets);
    const timesBefore = verified ? seen.note(headers["svc-event-id"] ?? "") : 0;
    const answered = verified ? settings.answer : 401;
    // Answered before anything slow is done with it: the sender waits at most 15 seconds.
    send(response, answered);
    tell({ at: new Date(), headers, body: bytes.toString("utf8"), verified, timesBefore, answered });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(settings.port, () => resolve());
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://localhost:${port}${path}`,
    trust: (given) => {
      secrets = given;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function isSigned(body: Buffer, headers: Record<string, string | undefined>, secrets: readonly string[]) {
  try {
    unwrap(body, headers, secrets);
    return true;
  } catch {
    return false;
  }
}

function send(response: ServerResponse, status: number): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ received: status < 300 }));
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > MAX_BODY_BYTES) return null;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

const flatHeaders = ({ headers }: IncomingMessage): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value?.toString()]));
