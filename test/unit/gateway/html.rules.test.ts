import { expect, test } from "@jest/globals";
import { escapeHtml, table } from "../../../gateway/openapi/pages/html.rules.ts";

test("whatever means something in HTML is escaped, once", () => {
  expect(escapeHtml(`<a href="x">'&lt;'</a>`)).toBe(
    "&lt;a href=&quot;x&quot;&gt;&#39;&amp;lt;&#39;&lt;/a&gt;",
  );
});

test("a table has nothing between its rows", () => {
  expect(table(["h"], [["1"], ["2"]])).toBe(
    "<table><thead><tr><th>h</th></tr></thead><tbody><tr><td>1</td></tr><tr><td>2</td></tr></tbody></table>",
  );
});
