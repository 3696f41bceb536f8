/** Requests that no polite client would send, byte by byte. */
import { connect, type Socket } from "node:net";

export type RawAnswer = { status: number; headers: Map<string, string>; body: string };

export function openRaw(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      // A server that has said enough may close while we still write.
      socket.on("error", () => undefined);
      resolve(socket);
    });
  });
}

export const untilClosed = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
  });

export async function sendRaw(url: string, request: string | Buffer): Promise<RawAnswer> {
  const socket = await openRaw(url);
  const received = untilClosed(socket);
  socket.write(request);
  return parseAnswer(await received);
}

export function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => {
    const at = line.indexOf(":");
    return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const;
  });
  return { status: Number(statusLine.split(" ")[1]), headers: new Map(headers), body: rest.join("\r\n\r\n") };
}
