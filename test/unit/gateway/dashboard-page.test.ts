/** How the dashboard's files are served: policy, caching, compression, and what is said when nobody built it. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createDashboardPage } from "../../../gateway/http/dashboard-page.ts";
import { newEdge } from "../../../gateway/http/edge-request.ts";
import { AppError } from "../../../shared/errors.ts";

const SCRIPT = "app-HASHHASH.js";
const script = "console.log('dashboard');".repeat(100);

let dir: string;
let server: Server;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "pbo-dashboard-"));
  const serve = createDashboardPage(dir, "https://files.example");
  server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").slice("/dashboard/".length));
    const edgeRequest = Object.assign(request, { edge: newEdge(request) });
    serve(edgeRequest, response, path).catch((error) => {
      const told = error instanceof AppError ? `${error.type}: ${error.message}` : String(error);
      response.writeHead(404).end(told);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});

afterEach(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

function build(page: string, madeAt: number): void {
  mkdirSync(join(dir, "assets"), { recursive: true });
  writeFileSync(join(dir, "assets", SCRIPT), script);
  writeFileSync(join(dir, "assets", "boot.js"), "start()");
  writeFileSync(join(dir, "index.html"), page);
  utimesSync(join(dir, "index.html"), madeAt, madeAt);
}

const get = (path: string, encoding = "identity", known = "") =>
  fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/dashboard/${path}`, {
    headers: { "Accept-Encoding": encoding, ...(known ? { "If-None-Match": known } : {}) },
  });

describe("the files of the dashboard", () => {
  test("not built: says so and how to build it; built meanwhile, it is there without a restart", async () => {
    for (const path of ["", `assets/${SCRIPT}`])
      expect(await (await get(path)).text()).toBe(
        "Route.NotFound: The dashboard is not built here: npm run build.",
      );
    build("one", 1);
    expect(await (await get("")).text()).toBe("one");
    build("two", 2);
    expect(await (await get("")).text()).toBe("two");
  });

  test.each(["", "overview", "deliveries/one", "../../etc/passwd"])(
    "%j is the page, asked for each time, under the strict policy",
    async (path) => {
      build("<page>", 1);
      const answer = await get(encodeURIComponent(path));
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
  ])("Accept-Encoding %s: a hashed file as %s, to be kept for ever", async (accepted, encoding) => {
    build("", 1);
    const answer = await get(`assets/${SCRIPT}`, accepted);
    expect(await answer.text()).toBe(script);
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(Number(answer.headers.get("content-length")) < script.length).toBe(encoding !== null);
  });

  test("who has the page gets 304 until a new build", async () => {
    build("one", 1);
    const tag = (await get("")).headers.get("etag") ?? "";
    expect((await get("", "identity", tag)).status).toBe(304);
    build("two", 2);
    expect((await get("", "identity", tag)).status).toBe(200);
  });

  test("the script that starts the app has no hash and is asked for each time", async () => {
    build("", 1);
    expect((await get("assets/boot.js")).headers.get("cache-control")).toBe("no-cache");
  });

  test.each(["assets/app-OLDHASH1.js", "assets/../index.html", "assets/"])(
    "%s: no such file",
    async (path) => {
      build("", 1);
      const answer = await get(encodeURIComponent(path));
      expect([answer.status, await answer.text()]).toEqual([
        404,
        "Route.NotFound: There is no such file of the dashboard.",
      ]);
    },
  );
});
