/** The https server of the receiver: reads, verifies, counts and answers a webhook. */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { BoundedMap } from "../../shared/bounded-map.ts";
import { unwrap } from "../client/typescript/src/webhooks.ts";
import type { TlsFiles } from "../lib/dev-ca.ts";
import type { Received } from "./describe-event.ts";

export type ReceiverSettings = {
  tls: Pick<TlsFiles, "cert" | "key">;
  /** Any free one when left out. */
  port?: number;
  path?: string;
  /** Status for a verified event. */
  answer?: number;
  onReceived(received: Received): void;
};

export type ReceiverServer = {
  url: string;
  /** A verified event was signed with one of these. */
  trust(secrets: readonly string[]): void;
  close(): Promise<void>;
};

const MAX_BODY_BYTES = 1_048_576;
/** A real receiver keeps ids in its database, for as long as deliveries can be replayed: 30 days. */
const MAX_REMEMBERED = 10_000;

export async function startReceiverServer(settings: ReceiverSettings): Promise<ReceiverServer> {
  const { tls, port = 0, path = "/webhooks", answer = 200, onReceived } = settings;
  const [cert, key] = [readFileSync(tls.cert), readFileSync(tls.key)];
  /** By event id: an event arrives at least once, and its effect must happen once. */
  const timesSeen = new BoundedMap<string, number>(MAX_REMEMBERED);
  let secrets: readonly string[] = [];

  const server = createServer({ cert, key }, (request, response) => {
    receive(request, response).catch(() => response.destroy());
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST" || request.url?.split("?")[0] !== path) return send(response, 404);
    const bytes = await readBody(request);
    if (!bytes) return send(response, 413);
    const headers = flatHeaders(request);
    // The raw bytes: parsing and serialising would change them.
    const verified = isSigned(bytes, headers, secrets);
    const id = headers["svc-event-id"] ?? "";
    const timesBefore = verified ? (timesSeen.get(id) ?? 0) : 0;
    if (verified) timesSeen.set(id, timesBefore + 1);
    const answered = verified ? answer : 401;
    // Answered before any slow work: the sender waits at most 15 seconds.
    send(response, answered);
    onReceived({ at: new Date(), headers, body: bytes.toString("utf8"), verified, timesBefore, answered });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, () => resolve());
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}${path}`,
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
