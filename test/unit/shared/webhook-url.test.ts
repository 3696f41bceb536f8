import { describe, expect, test } from "@jest/globals";
import { errorCode } from "../../../shared/errors.ts";
import { parseWebhookUrl, type Resolver, resolveDestination } from "../../../shared/webhook/webhook-url.ts";
import { isLoopbackForm, NOT_HTTPS_URLS, NOT_PUBLIC_URLS } from "../../support/builders/refused-urls.ts";

const PUBLIC = "93.184.216.34";

/** Refuses to be asked unless the test says what it answers. */
const resolverOf = (answer: readonly string[] | Error | "never"): Resolver => ({
  resolve: async () => {
    if (answer === "never") return new Promise(() => undefined);
    if (answer instanceof Error) throw answer;
    return answer;
  },
});

async function check(url: unknown, answer: Parameters<typeof resolverOf>[0], allowLoopback = false) {
  try {
    const { hostname } = parseWebhookUrl(url);
    return await resolveDestination(hostname, { resolver: resolverOf(answer), allowLoopback, timeoutMs: 50 });
  } catch (error) {
    return errorCode(error);
  }
}

describe("a webhook URL", () => {
  test("the table of refused forms has at least sixty rows", () => {
    expect(NOT_PUBLIC_URLS.length).toBeGreaterThanOrEqual(60);
  });

  test.each([...NOT_PUBLIC_URLS, ...NOT_HTTPS_URLS])("$url: $code", async ({ url, code }) => {
    expect(await check(url, new Error("no name server is asked"))).toBe(code);
  });

  test.each([undefined, null, 5, true, {}, [], ["https://example.com"], { href: "https://example.com" }])(
    "%j is no URL: Webhook.UrlNotHttps",
    async (url) => {
      expect(await check(url, [PUBLIC])).toBe("Webhook.UrlNotHttps");
    },
  );

  test.each([
    ["https://example.com", [PUBLIC]],
    ["https://example.com/hook?a=b#part", [PUBLIC]],
    ["HTTPS://EXAMPLE.com:8443/hook", [PUBLIC]],
    ["https://example.com:443/hook", [PUBLIC]],
    ["https://example.com:0443/hook", [PUBLIC]],
    ["https://example.com:1024/hook", [PUBLIC]],
    ["https://münchen.example/hook", [PUBLIC]],
    ["https://example.com./hook", [PUBLIC, "2606:4700::1111"]],
    [`https://${PUBLIC}/hook`, [PUBLIC]],
    ["https://0x5db8d822/hook", [PUBLIC]],
    ["https://[2606:4700::1111]/hook", ["2606:4700::1111"]],
    ["https://notlocalhost/hook", [PUBLIC]],
    ["https://internal.example.com/hook", [PUBLIC]],
  ])("%s is accepted and may be dialled at the vetted addresses only", async (url, addresses) => {
    expect(await check(url, addresses)).toMatchObject({ addresses });
  });

  test.each([
    ["a private address", ["10.0.0.1"]],
    ["a public and a private one", [PUBLIC, "10.0.0.1"]],
    ["a private IPv6 among public ones", [PUBLIC, "2606:4700::1111", "fd00::1"]],
    ["loopback", ["127.0.0.1"]],
    ["the metadata service", ["169.254.169.254"]],
    ["a mapped address", ["::ffff:10.0.0.1"]],
    ["something that is no address", [PUBLIC, "not-an-address"]],
  ])("a name that stands for %s: Webhook.UrlNotPublic", async (_what, answer) => {
    expect(await check("https://example.com/hook", answer)).toBe("Webhook.UrlNotPublic");
  });

  test.each([
    ["does not exist", new Error("ENOTFOUND")],
    ["has no address", []],
    ["is answered by nobody", "never" as const],
  ])("a name that %s: Webhook.UrlUnresolvable", async (_what, answer) => {
    expect(await check("https://example.com/hook", answer)).toBe("Webhook.UrlUnresolvable");
  });

  test("where the local platform allows loopback, localhost and its literals pass, and nothing else does", async () => {
    for (const url of ["https://localhost:8443/", "https://127.0.0.1/", "https://[::1]/", "https://127.1/"])
      expect(await check(url, [], true)).toMatchObject({ addresses: expect.any(Array) });
    for (const { url } of NOT_PUBLIC_URLS.filter(({ url }) => !isLoopbackForm(url)))
      expect([url, await check(url, [PUBLIC], true)]).toEqual([url, "Webhook.UrlNotPublic"]);
  });
});
