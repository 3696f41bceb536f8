import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { newEdge } from "../../../gateway/http/edge-request.ts";
import { createRouter } from "../../../gateway/router.ts";
import { PAGES } from "../../../gateway/routes.ts";
import { createPageServer } from "../../../gateway/serve-page.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Runtime } from "../../../shared/moleculer/runtime.ts";
import { listen } from "../../support/servers/listen.ts";

const SCRIPT = "app-HASHHASH.js";
const script = "console.log('dashboard');".repeat(100);
const document = JSON.stringify({ servers: ["https://base-url.invalid"], cookie: "__Host-pbo_session" });
const filled = JSON.stringify({ servers: ["http://localhost:3000"], cookie: "pbo_session" });

let distDir: string;
let server: Awaited<ReturnType<typeof listen>>;

beforeEach(async () => {
  distDir = mkdtempSync(join(tmpdir(), "pbo-dist-"));
  const config = { storageOrigin: "https://files.example", baseUrl: "http://localhost:3000", env: "local" };
  const runtime = { config, health: {} } as unknown as Runtime;
  const gatekeeper = { limit: async () => undefined };
  const servePage = createPageServer({ broker: {} as ServiceBroker, runtime, gatekeeper, distDir });
  const router = createRouter(PAGES);
  const serving = createServer((request, response) => {
    const { row, found } = router.find(request.method ?? "", request.url ?? "");
    const edgeRequest = Object.assign(request, { edge: newEdge(request) });
    servePage(row)(edgeRequest, response, found).catch((error: unknown) =>
      response
        .writeHead(404)
        .end(error instanceof AppError ? `${error.type}: ${error.message}` : String(error)),
    );
  });
  server = await listen(serving);
});

afterEach(async () => {
  await server.close();
  rmSync(distDir, { recursive: true });
});

function write(name: string, text: string): void {
  const file = join(distDir, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  writeFileSync(`${file}.gz`, gzipSync(text));
  writeFileSync(`${file}.br`, brotliCompressSync(text));
}

function build(page: string, madeAt: number): void {
  write(`dashboard/assets/${SCRIPT}`, script);
  write("dashboard/assets/boot.js", "start()");
  write("dashboard/index.html", page);
  write("docs/index.html", "<docs>");
  write("docs/token.html", "<token>");
  write("api/openapi.json", document);
  writeFileSync(join(distDir, "built"), "");
  utimesSync(join(distDir, "built"), madeAt, madeAt);
}

const get = (path: string, encoding = "identity", known = "") =>
  fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: { "Accept-Encoding": encoding, ...(known ? { "If-None-Match": known } : {}) },
  });

describe("built files", () => {
  test("without a build: the answer says how to build; a later build is served without a restart", async () => {
    for (const path of ["/dashboard", `/dashboard/assets/${SCRIPT}`, "/docs", "/api/openapi.json"])
      expect(await (await get(path)).text()).toBe(
        "Route.NotFound: The pages are not built. Run `npm run build`.",
      );
    build("one", 1);
    expect(await (await get("/dashboard")).text()).toBe("one");
    build("two", 2);
    expect(await (await get("/dashboard")).text()).toBe("two");
  });

  test.each(["", "/overview", "/deliveries/one", "/..%2f..%2fetc%2fpasswd"])(
    "/dashboard%s is the page, revalidated each time, under the strict policy",
    async (path) => {
      build("<page>", 1);
      const answer = await get(`/dashboard${path}`);
      expect(await answer.text()).toBe("<page>");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        "cross-origin-opener-policy": "same-origin",
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; " +
          "img-src 'self' data: blob: https://files.example; connect-src 'self'; form-action 'self'; " +
          "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      });
    },
  );

  test.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["gzip;q=0", null],
    ["identity", null],
  ])("Accept-Encoding %s: the same file as %s", async (accepted, encoding) => {
    build("", 1);
    for (const [path, text] of [
      [`/dashboard/assets/${SCRIPT}`, script],
      ["/api/openapi.json", filled],
    ] as const) {
      const answer = await get(path, accepted);
      expect(await answer.text()).toBe(text);
      expect(answer.headers.get("content-encoding")).toBe(encoding);
      expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    }
  });

  test.each([
    [`/dashboard/assets/${SCRIPT}`, "public, max-age=31536000, immutable"],
    ["/dashboard/assets/boot.js", "no-cache"],
    ["/docs", "public, max-age=300"],
    ["/docs/token", "public, max-age=300"],
    ["/api/openapi.json", "public, max-age=300"],
  ])("%s: Cache-Control %s", async (path, expected) => {
    build("", 1);
    expect((await get(path)).headers.get("cache-control")).toBe(expected);
  });

  test("a browser that has the page gets 304 until a new build", async () => {
    build("one", 1);
    const tag = (await get("/dashboard")).headers.get("etag") ?? "";
    expect((await get("/dashboard", "identity", tag)).status).toBe(304);
    build("two", 2);
    expect((await get("/dashboard", "identity", tag)).status).toBe(200);
  });

  test.each([
    "/dashboard/assets/app-OLDHASH1.js",
    "/dashboard/assets%2f..%2findex.html",
    `/dashboard/assets/${SCRIPT}.gz`,
    "/docs/index",
    "/docs/..%2fdashboard",
    "/docs/token.html",
  ])("%s: no such file", async (path) => {
    build("", 1);
    const answer = await get(path);
    expect([answer.status, await answer.text()]).toEqual([404, "Route.NotFound: This page does not exist."]);
  });
});
