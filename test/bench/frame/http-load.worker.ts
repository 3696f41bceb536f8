/** The thread that sends the load: so many connections, each with one request under way until the window ends. */
import { randomBytes } from "node:crypto";
import { parentPort } from "node:worker_threads";
import { openConnection } from "./http-exchange.ts";
import { type LoadAnswer, type LoadOrder, UNIQUE_LENGTH } from "./http-load.ts";
import type { Sample } from "./spec.ts";

const RUN_ID = randomBytes(4).toString("hex");
const COUNTER_LENGTH = UNIQUE_LENGTH - RUN_ID.length;
const SHOWN_OF_A_FAILURE = 600;
let counter = 0;

async function runLoad({ host, port, requests, once, window }: LoadOrder): Promise<Sample> {
  const latenciesMs: number[] = [];
  let next = 0;
  const connections = await Promise.all(
    Array.from({ length: window.concurrency }, () => openConnection(host, port)),
  );
  const startedAt = performance.now();
  const endsAt = startedAt + window.durationMs;
  try {
    await Promise.all(
      connections.map(async (connection) => {
        for (let now = performance.now(); now < endsAt; ) {
          if (once && next >= requests.length) return;
          const request = fill(requests[next++ % requests.length] ?? []);
          const status = await connection.exchange(request);
          const answeredAt = performance.now();
          if (status < 200 || status > 299)
            throw new Error(
              `unexpected answer\n${connection.lastAnswer().text.slice(0, SHOWN_OF_A_FAILURE)}`,
            );
          latenciesMs.push(answeredAt - now);
          now = answeredAt;
        }
      }),
    );
    const elapsedMs = performance.now() - startedAt;
    return { count: latenciesMs.length, elapsedMs, latenciesMs: Float64Array.from(latenciesMs) };
  } finally {
    for (const connection of connections) connection.close();
  }
}

/** All gaps of one request get the same text. */
function fill(parts: readonly string[]): string {
  if (parts.length === 1) return parts[0] ?? "";
  counter += 1;
  return parts.join(RUN_ID + counter.toString(36).padStart(COUNTER_LENGTH, "0"));
}

parentPort?.on("message", (order: LoadOrder) => {
  const tell = (answer: LoadAnswer) => parentPort?.postMessage(answer);
  runLoad(order).then(
    (sample) => tell({ sample }),
    (error: unknown) => tell({ failure: error instanceof Error ? error.message : String(error) }),
  );
});
