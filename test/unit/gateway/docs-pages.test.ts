import { describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { openApiDocument } from "../../../gateway/openapi/openapi.ts";
import { markdownToHtml } from "../../../gateway/openapi/pages/markdown.rules.ts";
import { filledIn } from "../../../gateway/openapi/pages/samples.ts";
import { docsSite } from "../../../gateway/openapi/pages/site.ts";
import { ERROR_CODES } from "../../../shared/contract/error-codes.ts";

const BASE_URL = "https://onboarding.example";
const site = docsSite(BASE_URL, {
  partner: openApiDocument("partner", BASE_URL),
  dashboard: openApiDocument("dashboard", BASE_URL),
});
const html = (name: string): string => site.get(`${name || "index"}.html`) ?? "";
const pages = [...site.keys()]
  .filter((file) => file.endsWith(".html"))
  .map((file) => file.replace(/(index)?\.html$/, ""));

describe("the documentation site", () => {
  test.each(pages)("/docs/%s: its links and sections are there, and no sample is left open", (name) => {
    const page = html(name);
    for (const [, link = ""] of page.matchAll(/href="(\/docs[^"]*|#[^"]+)"/g)) {
      const [path = "", anchor] = link.split("#");
      const target = path === "" ? name : path.replace(/^\/docs\/?/, "");
      expect([link, site.has(target) || html(target) !== ""]).toEqual([link, true]);
      if (anchor !== undefined) expect(html(target)).toContain(`id="${anchor}"`);
    }
    expect(/\{(baseUrl|create\w+|signature\w*)\}/.exec(page)?.[0]).toBeUndefined();
  });

  test("every error code has its entry, at the address that the error names", () => {
    for (const code of Object.keys(ERROR_CODES)) expect(html("errors")).toContain(`id="${code}"`);
  });

  test("nothing but another block follows a sample", () => {
    for (const name of pages) expect(html(name)).not.toMatch(/<\/pre>[^<\s]/);
  });

  test("no page runs a script or a style of its own, so that the policy can forbid them", () => {
    for (const name of pages) expect(html(name)).not.toMatch(/<script(?! src=)|<style| style=| on\w+="/);
  });

  test("the example of a signature is verified by Standard Webhooks' library", () => {
    const value = (name: string): string => filledIn(`{${name}}`, BASE_URL);
    const now = Number(value("signatureTimestamp"));
    const headers = {
      "webhook-id": value("signatureId"),
      "webhook-timestamp": value("signatureTimestamp"),
      "webhook-signature": value("signature"),
    };
    const library = new Webhook(value("signatureSecret"));
    expect(library.sign(headers["webhook-id"], new Date(now * 1_000), value("signatureBody"))).toBe(
      headers["webhook-signature"],
    );
  });
});

describe("markdownToHtml", () => {
  test.each([
    ["a heading has an anchor", "## Get a `token`", '<h2 id="get-a-token">Get a <code>token</code></h2>'],
    ["signs of a heading are not in its anchor", "## What's new?", '<h2 id="whats-new">What&#39;s new?</h2>'],
    ["HTML in a line is only text", "a <b>c</b>", "<p>a &lt;b&gt;c&lt;/b&gt;</p>"],
    ["HTML in a block is only text", "<img src=x onerror=y>", "&lt;img src=x onerror=y&gt;"],
    [
      "code can be scrolled by keyboard",
      "```sh\n# no heading\n```\n\n## Next",
      '<pre tabindex="0" data-language="sh"><code># no heading</code></pre>\n<h2 id="next">Next</h2>',
    ],
    [
      "code that is never closed is shown to its end",
      "```\nx",
      '<pre tabindex="0" data-language=""><code>x</code></pre>',
    ],
    ["indented code has no language", "    x", '<pre tabindex="0" data-language=""><code>x</code></pre>'],
  ])("%s", (_, text, expected) => expect(markdownToHtml(text)).toBe(expected));
});
