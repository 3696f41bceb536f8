/** Sends an answer as JSON. */
import type { EdgeResponse } from "./edge-request.ts";

type Headers = Readonly<Record<string, string | string[]>>;

export const sendJson = (response: EdgeResponse, status: number, body: unknown, headers?: Headers): void =>
  sendJsonText(response, status, JSON.stringify(body), headers);

export function sendJsonText(response: EdgeResponse, status: number, text: string, headers?: Headers): void {
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}
