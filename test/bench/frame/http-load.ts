/** HTTP load from a thread of its own; the same generator for a workload and its floors. */
import { Worker } from "node:worker_threads";
import type { Sample, Window } from "./spec.ts";

export type HttpRequest = {
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  /** Text, or a value that becomes JSON. `{{unique}}` anywhere in a request becomes another text each time. */
  body?: unknown;
};

export type HttpTarget = {
  /** http://host:port */
  url: string;
  /** Sent in turn, again and again. A function is asked anew before each window, e.g. for fresh tokens. */
  requests:
    | readonly HttpRequest[]
    | ((window: Window) => readonly HttpRequest[] | Promise<readonly HttpRequest[]>);
  /** Each request is sent at most once; the window ends when none is left. */
  once?: boolean;
};

export type LoadOrder = {
  host: string;
  port: number;
  /** Each split where a unique text belongs. */
  requests: string[][];
  once: boolean;
  window: Window;
};
export type LoadAnswer = { sample: Sample } | { failure: string };

export const UNIQUE = "{{unique}}";
export const UNIQUE_LENGTH = 16;

export function createHttpLoad() {
  const worker = new Worker(new URL("./http-load.worker.ts", import.meta.url));
  return {
    async run(target: HttpTarget, window: Window): Promise<Sample> {
      const { requests } = target;
      const list = typeof requests === "function" ? await requests(window) : requests;
      const { hostname, port } = new URL(target.url);
      const order: LoadOrder = {
        host: hostname,
        port: Number(port),
        requests: list.map((request) => serialise(request, hostname).split(UNIQUE)),
        once: target.once ?? false,
        window,
      };
      const answer = await ask(worker, order);
      if ("failure" in answer) throw new Error(`${target.url}: ${answer.failure}`);
      return answer.sample;
    },
    close: () => worker.terminate(),
  };
}

function ask(worker: Worker, order: LoadOrder): Promise<LoadAnswer> {
  return new Promise((resolve, reject) => {
    worker.once("error", reject);
    worker.once("message", (answer: LoadAnswer) => {
      worker.off("error", reject);
      resolve(answer);
    });
    worker.postMessage(order);
  });
}

function serialise({ method, path, headers = {}, body }: HttpRequest, host: string): string {
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const sent = text.replaceAll(UNIQUE, "x".repeat(UNIQUE_LENGTH));
  const all: Record<string, string> = {
    Host: host,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...headers,
    ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(sent)) }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${text}`;
}
