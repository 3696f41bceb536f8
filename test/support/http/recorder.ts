/** A proxy in front of a gateway. Each exchange passes through unchanged and is recorded. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { listen } from "../servers/listen.ts";

type Headers = Record<string, string>;
type Exchange = {
  method: string;
  url: string;
  headers: Headers;
  body: string;
  answer: { status: number; headers: Headers; body: string };
};

export async function startRecorder(gatewayPort: number) {
  const exchanges: Exchange[] = [];
  const relay = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = "", url = "", rawHeaders } = incoming;
    const body = await buffer(incoming);
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const to = {
        host: "127.0.0.1",
        port: gatewayPort,
        method,
        path: url,
        headers: rawHeaders,
        agent: false,
      };
      request(to as object, resolve)
        .on("error", reject)
        .end(body);
    });
    const { statusCode: status = 0 } = answer;
    const sent = await buffer(answer);
    outgoing.writeHead(status, answer.rawHeaders).end(sent);
    const headers = { ...answer.headers } as Headers;
    const answered = { status, headers, body: sent.toString() };
    // Only pages are compressed.
    if (!headers["content-encoding"])
      exchanges.push({
        method,
        url,
        headers: { ...incoming.headers } as Headers,
        body: String(body),
        answer: answered,
      });
  };
  // A killed gateway breaks the connection of the caller too.
  const server = createServer((incoming, outgoing) => {
    relay(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const { port, close } = await listen(server);
  return { url: `http://localhost:${port}`, exchanges, close };
}
