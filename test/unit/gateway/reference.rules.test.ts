import { describe, expect, test } from "@jest/globals";
import { referencePage } from "../../../gateway/openapi/pages/reference.rules.ts";

const operation = {
  operationId: "profilePing",
  summary: "Ping",
  description: "Says that it is there.",
  parameters: [
    {
      name: "id",
      in: "path",
      required: true,
      description: "Whose.",
      schema: { type: "string", format: "uuid" },
    },
    { name: "page", in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 9 } },
  ],
  security: [],
  requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Ping" } } } },
  responses: {
    "200": {
      description: "Success",
      content: {
        "application/json": { schema: { const: true }, example: { a: [1] } },
        "text/plain": { schema: {} },
      },
    },
    "404": { description: "Customer.NotFound, or so" },
  },
};
const schemas = {
  Ping: {
    required: ["name"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 2, pattern: "^a$", description: "Its name." },
      list: { items: { enum: ["x", "y"] } },
      one: { oneOf: [{ type: "integer" }, { const: "x" }] },
      either: { anyOf: [{ type: "null" }, { $ref: "#/components/schemas/Colour" }] },
      many: { type: "array", minItems: 3, maxItems: 4 },
      any: {},
    },
  },
  Colour: { enum: ["red"] },
};
const document = {
  info: { title: "An <API>", description: "For all." },
  servers: [{ url: "https://x.example" }],
  paths: { "/ping": { get: operation } },
  components: { schemas },
};

describe("referencePage", () => {
  const page = referencePage(document);

  test.each([
    ["the title, escaped", '<h1>An &lt;API&gt;</h1><p>For all.</p>\n<h2 id="operations">Operations</h2>'],
    ["the address", '<h3>Ping</h3><p class="address"><code>GET /ping</code></p>'],
    [
      "its parameters",
      "<tr><th>Parameter</th><th>In</th><th>Form</th></tr></thead><tbody>" +
        "<tr><td><code>id</code> required</td><td>path</td><td>uuid Whose.</td></tr>" +
        "<tr><td><code>page</code></td><td>query</td><td>integer, minimum 1, maximum 9 </td></tr>",
    ],
    ["its body", '<h4>Body</h4><p><code>application/json</code>: <a href="#schema-Ping">Ping</a></p>\n'],
    [
      "its answer, with the example",
      "<h4>Answer</h4><p><code>application/json</code>: <code>true</code></p>" +
        '<pre tabindex="0" data-language="json"><code>{\n  &quot;a&quot;: [\n    1\n  ]\n}</code></pre>' +
        "<p><code>text/plain</code>: anything</p>",
    ],
    [
      "its statuses, with the codes that have an entry",
      "<tr><th>Status</th><th>Codes</th></tr></thead><tbody><tr><td>200</td><td>Success</td></tr>" +
        '<tr><td>404</td><td><a href="/docs/errors#Customer.NotFound">Customer.NotFound</a>, or so</td></tr>' +
        "</tbody></table></section>",
    ],
    [
      "schemas, field by field",
      "<tr><th>Field</th><th>Form</th></tr></thead><tbody>" +
        "<tr><td><code>name</code> required</td><td>string, minLength 1, maxLength 2, <code>^a$</code> Its name.</td></tr>" +
        "<tr><td><code>list</code></td><td>list of <code>x</code>, <code>y</code> </td></tr>" +
        "<tr><td><code>one</code></td><td>integer or <code>&quot;x&quot;</code> </td></tr>" +
        '<tr><td><code>either</code></td><td>null or <a href="#schema-Colour">Colour</a> </td></tr>' +
        "<tr><td><code>many</code></td><td>array, minItems 3, maxItems 4 </td></tr>" +
        "<tr><td><code>any</code></td><td>anything </td></tr>",
    ],
    [
      "a schema without fields",
      '<section id="schema-Colour"><h3>Colour</h3><p><code>red</code></p></section>',
    ],
  ])("shows %s", (_what, html) => expect(page).toContain(html));

  test("without events: no samples, no webhooks", () => {
    expect(page).not.toMatch(/Samples|Webhooks/);
  });

  test("with events: samples of the calls, and the events", () => {
    const event = { ...operation, operationId: "eventPing", requestBody: undefined, responses: {} };
    const withEvents = referencePage({ ...document, webhooks: { "a.b": { post: event } } });
    expect(withEvents).toContain("</table><details><summary>Samples</summary><pre");
    expect(withEvents).toContain('<h2 id="webhooks">Webhooks</h2>\n<section id="eventPing">');
    expect(withEvents).toMatch(/<\/table>\n\n\n<h4>Statuses<\/h4>/);
  });
});
