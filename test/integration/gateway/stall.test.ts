/** A gateway as a process of its own, and callers without a sign-in who ask for much and read nothing of it. */
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { buildPages } from "../../support/built-pages.ts";
import { openRaw } from "../../support/http/raw-http.ts";
import { repetitions } from "../../support/repetitions.ts";
import { aTestNamespace, testServerSettings } from "../../support/servers/servers.ts";
import { nightlyTest } from "../../support/skipped.ts";
import { startServiceProcess } from "../../support/stage/service-process.ts";
import { waitFor } from "../../support/wait-for.ts";

const CONNECTIONS = 300;
const PIPELINED = 20;
const PROBES = 30;
/** By day the machine is busy with other tests; without bounds it was 20 to 40 s. */
const TOLERABLE_MS = repetitions({ short: 3_000, nightly: 200 });
const FILES = [
  "/api/openapi.json",
  "/api/openapi-dashboard.json",
  "/docs/reference-dashboard",
  "/docs/errors",
];

/** The largest memory of the gateway. Without bounds it was 508 MiB with slow readers. */
const TOLERABLE_MIB = 400;
const SLOW_CONNECTIONS = 1_000;
/** Less than three liveness probes of 2 s, after which Kubernetes restarts the gateway. */
const TOLERABLE_SLOW_MS = 5_000;
const PROBE_EVERY_MS = 200;
/** Later than every deadline of the gateway, shorter than an idle connection may be open. */
const CLOSED_WITHIN_MS = 60_000;

/** A connection for one request. */
const ALONE = { Connection: "close" };

let url: string;
let pid: number;
let stop: () => Promise<unknown>;

beforeAll(async () => {
  await buildPages();
  const port = String(await freePort());
  const keys = newGatewayKeys();
  const gateway = startServiceProcess("gateway", {
    ...testServerSettings(aTestNamespace()),
    PBO_GATEWAY_PRIVATE_KEY: keys.privateKey,
    PBO_GATEWAY_PUBLIC_KEYS: keys.publicKey,
    PBO_BASE_URL: "http://127.0.0.1",
    PBO_PORT: port,
    PBO_STOP_DELAY_MS: "0",
    // The limit alone would answer most of the requests.
    PBO_LIMIT_PAGES_PER_ADDRESS: "100000000",
    PBO_LIMIT_TOKENS_PER_ADDRESS: "100000000",
  });
  pid = gateway.pid;
  stop = () => gateway.kill("SIGKILL");
  url = `http://127.0.0.1:${port}`;
  await waitFor(
    async () => (await fetch(`${url}/healthz`, { headers: ALONE })).status === 200,
    "the gateway",
  );
});
afterAll(() => stop());

async function largestFile(): Promise<string> {
  const sizes = await Promise.all(
    FILES.map(async (path) => {
      const answer = await fetch(url + path, { headers: { ...ALONE, "Accept-Encoding": "identity" } });
      return { path, size: (await answer.arrayBuffer()).byteLength };
    }),
  );
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.path ?? "";
}

/** In ms; each probe has a connection of its own. */
async function probe(): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(`${url}/healthz`, { headers: ALONE })).text();
  return performance.now() - startedAt;
}

test("many connections that pipeline requests for the largest page and read nothing: health is answered meanwhile", async () => {
  const request = `GET ${await largestFile()} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(PIPELINED);
  const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, () => openRaw(url)));
  for (const socket of sockets) socket.pause().write(request);
  const times: number[] = [];
  while (times.length < PROBES) times.push(await probe());
  for (const socket of sockets) socket.destroy();
  expect(Math.max(...times)).toBeLessThan(TOLERABLE_MS);
});

const rssMiB = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

/** Established ones, by the kernel. A client that does not read learns nothing of the end of its connection. */
function openConnections(): number {
  const local = `:${Number(new URL(url).port).toString(16).toUpperCase().padStart(4, "0")}`;
  const rows = ["tcp", "tcp6"].flatMap((file) => readFileSync(`/proc/net/${file}`, "utf8").split("\n"));
  return rows
    .map((row) => row.trim().split(/\s+/))
    .filter(([, from, , state]) => from?.endsWith(local) && state === "01").length;
}

const FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n";
/** Bytes that begin a request, and a byte that each connection sends every second. */
const SLOW: [name: string, begin: () => string | Promise<string>, drip: string][] = [
  ["headers that do not end", () => "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Drip: ", "x"],
  ["bodies that do not end", () => `POST /oauth2/token HTTP/1.1\r\nHost: x\r\n${FORM}\r\n`, "a"],
  // More than the buffers of the kernel take.
  [
    "answers that are not read",
    async () => `GET ${await largestFile()} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(8),
    "",
  ],
];

nightlyTest.each(SLOW)(
  "a thousand connections with %s: health is answered meanwhile, and all are closed in time",
  async (_name, begin, drip) => {
    const first = await begin();
    const sockets: Socket[] = [];
    while (sockets.length < SLOW_CONNECTIONS) {
      const socket = await openRaw(url);
      sockets.push(socket);
      if (drip) socket.resume();
      socket.write(first);
    }
    const dripping = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(drip);
    }, 1_000);
    const startedAt = performance.now();
    const times: number[] = [];
    let peak = 0;
    while (openConnections() > 0 && performance.now() - startedAt < CLOSED_WITHIN_MS) {
      times.push(await probe());
      peak = Math.max(peak, rssMiB());
      await setTimeout(PROBE_EVERY_MS);
    }
    clearInterval(dripping);
    const left = openConnections();
    for (const socket of sockets) socket.destroy();
    expect(left).toBe(0);
    expect(Math.max(...times)).toBeLessThan(TOLERABLE_SLOW_MS);
    expect(peak).toBeLessThan(TOLERABLE_MIB);
  },
);
