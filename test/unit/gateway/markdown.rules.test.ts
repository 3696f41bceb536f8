import { expect, test } from "@jest/globals";
import { markdownToHtml } from "../../../gateway/openapi/pages/markdown.rules.ts";

test("markdownToHtml: a heading has an anchor of its words", () => {
  expect(markdownToHtml("## Verify a `signature`!")).toMatch(/^<h2 id="verify-a-signature">/);
});

test("markdownToHtml: HTML is shown as text", () => {
  expect(markdownToHtml("<script>x</script>")).not.toContain("<script>");
});

test("markdownToHtml: a code block may have a language or none", () => {
  expect(markdownToHtml("```sh\ncurl\n```")).toContain("curl");
  for (const code of ["```\nplain\n```", "    plain"])
    expect(markdownToHtml(code)).toContain('data-language=""><code>plain');
});
