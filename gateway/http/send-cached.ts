/** Sends an answer that a browser may keep, if it asks each time whether it is still the same. */
import type { EdgeRequest, EdgeResponse } from "./edge-request.ts";
import { etagOf, isNamed } from "./etag.ts";
import { sendJsonText } from "./send-json.ts";

/** Only the person's own browser caches it, and asking again still needs a session. */
const KEPT = "private, no-cache";

export function sendCached(request: EdgeRequest, response: EdgeResponse, body: unknown): void {
  const text = JSON.stringify(body);
  const etag = etagOf(text);
  const headers = { ETag: etag, "Cache-Control": KEPT };
  if (isNamed(etag, request.headers["if-none-match"])) response.writeHead(304, headers).end();
  else sendJsonText(response, 200, text, headers);
}
