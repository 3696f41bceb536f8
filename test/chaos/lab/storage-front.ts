/** An HTTP proxy before the storage: answers that fail, end too early, or have other bytes than the object. */
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import { Transform } from "node:stream";
import { listen } from "../../support/servers/listen.ts";

type FrontMode = "pass" | "503" | "cut" | "damage";

const SLOW_DOWN = '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>SlowDown</Code></Error>';

export async function startStorageFront(endpoint: string) {
  const { hostname, port } = new URL(endpoint);
  let mode: FrontMode = "pass";

  function answer(request: IncomingMessage, response: ServerResponse): void {
    response.on("error", () => undefined);
    if (mode === "503") {
      request.resume();
      return void response.writeHead(503, { "Content-Type": "application/xml" }).end(SLOW_DOWN);
    }
    // The host that the caller signed stays in the headers.
    const { method, url: path, headers } = request;
    const behind = send({ hostname, port, method, path, headers }, (found) => {
      response.writeHead(found.statusCode ?? 502, found.headers);
      if (mode === "cut") cut(found, response);
      else (mode === "damage" ? found.pipe(damaging()) : found).pipe(response);
    });
    behind.on("error", () => response.destroy());
    request.on("error", () => behind.destroy()).pipe(behind);
  }
  const server = createServer(answer);
  // As the storage: a delayed client must not send a file into a closing connection.
  server.keepAliveTimeout = 65_000;
  const { port: own, close } = await listen(server);
  return {
    url: `http://127.0.0.1:${own}`,
    set(next: FrontMode): void {
      mode = next;
    },
    close,
  };
}

/** Half of the first bytes, and then an end that the announced length contradicts. */
function cut(found: IncomingMessage, response: ServerResponse): void {
  found.on("end", () => response.end());
  found.once("data", (first: Buffer) => {
    found.destroy();
    response.write(first.subarray(0, first.length / 2), () => response.destroy());
  });
}

/** Another bit at each read, as a failing disk or memory does it. */
const damaging = () =>
  new Transform({
    transform(chunk: Buffer, _, done) {
      const at = Math.floor(Math.random() * chunk.length);
      chunk[at] = (chunk[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
      done(null, chunk);
    },
  });
