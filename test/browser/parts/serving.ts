/** How the dashboard is served: policy, caching, compression, size. */
import { describe, expect, test } from "@jest/globals";
import { browserPlatform } from "../../support/browser/stage.ts";
import { testServers } from "../../support/servers/servers.ts";

const MAX_SCRIPT_BYTES = 60 * 1_024;

const get = async (path: string, encoding = "identity") => {
  const { baseUrl } = await browserPlatform();
  return fetch(baseUrl + path, { headers: { "Accept-Encoding": encoding }, redirect: "manual" });
};
const scriptName = async (): Promise<string> =>
  /data-app="([^"]+)"/.exec(await (await get("/dashboard")).text())?.[1] ?? "";

describe("the files of the dashboard", () => {
  test("/ leads to it, and every address below is the page, which is asked for each time", async () => {
    const root = await get("/");
    expect([root.status, root.headers.get("location")]).toEqual([302, "/dashboard"]);
    for (const path of ["/dashboard", "/dashboard/", "/dashboard/deliveries/one"]) {
      const page = await get(path);
      expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-cache"]);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      await page.body?.cancel();
    }
  });

  test("the policy allows our own files and calls, pictures from storage, and no text that becomes markup", async () => {
    const policy = (await get("/dashboard")).headers.get("content-security-policy");
    expect(policy).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; " +
        `img-src 'self' data: blob: ${new URL(testServers().s3.endpoint).origin}; connect-src 'self'; form-action 'self'; ` +
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
  });

  test("the script has a hash in its name, may be kept for ever, and is small in gzip and brotli", async () => {
    const name = await scriptName();
    expect(name).toMatch(/^\/dashboard\/assets\/app-[A-Z0-9]{8}\.js$/);
    const { baseUrl } = await browserPlatform();
    for (const encoding of ["gzip", "br"]) {
      const head = await fetch(baseUrl + name, { method: "HEAD", headers: { "Accept-Encoding": encoding } });
      expect(head.headers.get("content-encoding")).toBe(encoding);
      expect(head.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(Number(head.headers.get("content-length"))).toBeLessThan(MAX_SCRIPT_BYTES);
    }
    const refused = await get(name, "gzip;q=0");
    expect(refused.headers.get("content-encoding")).toBe(null);
    expect((await refused.text()).length).toBeGreaterThan(1_000);
  });

  test.each(["assets/app-OLDHASH1.js", "assets/..%2f..%2findex.html"])(
    "%s: 404 in the words of the API",
    async (path) => {
      const answer = await get(`/dashboard/${path}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ error: { code: "Route.NotFound" } });
    },
  );
});
