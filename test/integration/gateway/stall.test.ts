/** A gateway as a process of its own, and callers without a sign-in who ask for much and read nothing of it. */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { newGatewayKeys } from "../../../deploy/lib/gateway-keys.ts";
import { freePort } from "../../../deploy/local/ports.ts";
import { buildPages } from "../../support/built-pages.ts";
import { openRaw } from "../../support/http/raw-http.ts";
import { repetitions } from "../../support/repetitions.ts";
import { aTestNamespace, testServerSettings } from "../../support/servers/servers.ts";
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

let url: string;
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
  });
  stop = () => gateway.kill("SIGKILL");
  url = `http://127.0.0.1:${port}`;
  await waitFor(async () => (await fetch(`${url}/healthz`)).status === 200, "the gateway");
});
afterAll(() => stop());

async function largestFile(): Promise<string> {
  const sizes = await Promise.all(
    FILES.map(async (path) => {
      const answer = await fetch(url + path, { headers: { "Accept-Encoding": "identity" } });
      return { path, size: (await answer.arrayBuffer()).byteLength };
    }),
  );
  return sizes.toSorted((a, b) => b.size - a.size)[0]?.path ?? "";
}

/** In ms; each probe has a connection of its own. */
async function probe(): Promise<number> {
  const startedAt = performance.now();
  await (await fetch(`${url}/healthz`, { headers: { Connection: "close" } })).text();
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
