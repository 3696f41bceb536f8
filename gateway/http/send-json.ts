/** Sends an answer as JSON. */
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { etagOf, isNamed } from "./etag.ts";

type Headers = Readonly<Record<string, string | string[]>>;

export const sendJson = (response: EdgeResponse, status: number, body: unknown, headers?: Headers): void =>
  sendText(response, status, JSON.stringify(body), headers);

/** Only the person's own browser caches it, and asking again still needs a session. */
const KEPT = "private, no-cache";

/** Sends an answer that a browser may keep, if it asks each time whether it is still the same. */
export function sendCached(request: EdgeRequest, response: EdgeResponse, body: unknown): void {
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  const headers = { ETag: etag, "Cache-Control": KEPT };
  if (isNamed(etag, request.headers["if-none-match"])) response.writeHead(304, headers).end();
  else sendText(response, 200, text, headers);
}

function sendText(response: EdgeResponse, status: number, text: string, headers?: Headers): void {
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
