/** Sends an answer that a browser may keep, if it asks each time whether it is still the same (RFC 9110, 13.1.2). */
import { createHash } from "node:crypto";
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { sendJsonText } from "./send-json.ts";

/** Kept by the person's own browser only: whoever asks again still needs a session. */
const KEPT = "private, no-cache";

export function sendCached(request: EdgeRequest, response: EdgeResponse, body: unknown): void {
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  const headers = { ETag: etag, "Cache-Control": KEPT };
  if (isNamed(etag, request.headers["if-none-match"])) response.writeHead(304, headers).end();
  else sendJsonText(response, 200, text, headers);
}

const etagOf = (text: string): string => `"${createHash("sha256").update(text).digest("base64url")}"`;

const isNamed = (etag: string, given = ""): boolean =>
  given
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""))
    .some((tag) => tag === etag || tag === "*");
