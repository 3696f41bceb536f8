/**
 * Partners' https servers that answer 200 at once, under /fail 500; under /hang they never answer. Arguments: ports,
 * certificate, key.
 * GET /arrivals gives and forgets when each event id first came, in milliseconds of this machine's clock; GET /count
 * says how many requests came in all. Under /by-reference a request is noted by the partner's reference in its body.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import { text } from "node:stream/consumers";

const [, , ports = "0", certFile = "", keyFile = ""] = process.argv;
let arrivals: Record<string, number> = {};
let count = 0;

const REFERENCE = /"partnerCustomerId":"([^"]+)"/;
const tls = { cert: readFileSync(certFile), key: readFileSync(keyFile) };

function answer(request: IncomingMessage, response: ServerResponse): void {
  if (request.method === "GET") {
    const isCount = request.url === "/count";
    const body = JSON.stringify(isCount ? count : arrivals);
    if (!isCount) arrivals = {};
    response.end(body);
    return;
  }
  count += 1;
  const at = performance.timeOrigin + performance.now();
  const note = (key: unknown) => {
    if (typeof key === "string") arrivals[key] ??= at;
  };
  if (request.url?.startsWith("/by-reference"))
    void text(request).then((body) => note(REFERENCE.exec(body)?.[1]));
  else {
    note(request.headers["svc-event-id"]);
    request.resume();
  }
  if (request.url?.startsWith("/hang")) return;
  response.writeHead(request.url?.startsWith("/fail") ? 500 : 200, { "Content-Length": 0 }).end();
}

for (const port of ports.split(",")) {
  const server = createServer(tls, answer);
  server.keepAliveTimeout = 60_000;
  server.listen(Number(port), "127.0.0.1");
}
