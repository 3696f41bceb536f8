/** A keep-alive connection with one request under way; only as much HTTP as a load generator needs. */
import { connect, type Socket } from "node:net";

type HttpAnswer = { status: number; text: string };
export type HttpConnection = {
  exchange(request: string): Promise<number>;
  lastAnswer(): HttpAnswer;
  close(): void;
};

const HEAD_END = "\r\n\r\n";
const STATUS_AT = 9;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

export function openConnection(host: string, port: number): Promise<HttpConnection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.off("error", reject);
      resolve(connectionOver(socket));
    });
  });
}

function connectionOver(socket: Socket): HttpConnection {
  let received = "";
  let answer: HttpAnswer = { status: 0, text: "" };
  let settle: { resolve(status: number): void; reject(error: Error): void } | null = null;
  const fail = (error: Error) => {
    settle?.reject(error);
    settle = null;
  };
  // Each byte is a character, so Content-Length counts characters.
  socket.setEncoding("latin1");
  socket.on("error", fail);
  socket.on("close", () => fail(new Error("the connection was closed before the answer")));
  socket.on("data", (chunk: string) => {
    received = received === "" ? chunk : received + chunk;
    const end = received.indexOf(HEAD_END);
    if (end === -1 || !isComplete(received, end)) return;
    const status = Number(received.slice(STATUS_AT, STATUS_AT + 3));
    answer = { status, text: received };
    received = "";
    const { resolve } = settle ?? {};
    settle = null;
    resolve?.(status);
  });
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket.write(request, "utf8");
      }),
    lastAnswer: () => answer,
    close: () => socket.destroy(),
  };
}

function isComplete(received: string, headEnd: number): boolean {
  const length = CONTENT_LENGTH.exec(received.slice(0, headEnd))?.[1];
  if (length !== undefined) return received.length >= headEnd + HEAD_END.length + Number(length);
  return received.endsWith(`0${HEAD_END}`) || received.startsWith("HTTP/1.1 204");
}
