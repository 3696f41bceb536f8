/** The reference: an API document as one page of HTML that needs no script to be read. */
import type { JsonSchema } from "../../../shared/contract/answer-schema.ts";
import { isRecord } from "../../../shared/is-record.ts";
import {
  type CallSample,
  type Content,
  callSamples,
  type Parameter,
  type SampledCall,
} from "./call-samples.rules.ts";
import { block, code, escapeHtml, table } from "./html.rules.ts";
import { markdownToHtml } from "./markdown.rules.ts";

export function referencePage(document: JsonSchema): string {
  const { info, servers, paths, webhooks, components } = document as {
    info: { title: string; description: string };
    servers: [{ url: string }];
    paths: Record<string, Record<string, Operation>>;
    webhooks?: Record<string, { post: Operation }>;
    components: { schemas: Record<string, JsonSchema> };
  };
  // People sign in by a browser.
  const hasClients = webhooks !== undefined;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      section(
        `${method.toUpperCase()} ${path}`,
        operation,
        hasClients ? callSamples(servers[0].url, method, path, operation) : [],
      ),
    ),
  );
  const events = Object.entries(webhooks ?? {}).map(([name, { post }]) => section(name, post));
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<section id="schema-${name}"><h3>${escapeHtml(name)}</h3>${schemaBody(schema)}</section>`,
  );
  return [
    `<h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description)}</p>`,
    `<h2 id="operations">Operations</h2>`,
    ...operations,
    ...(events.length > 0 ? [`<h2 id="webhooks">Webhooks</h2>`, ...events] : []),
    `<h2 id="schemas">Schemas</h2>`,
    ...schemas,
  ].join("\n");
}

type Operation = SampledCall & {
  summary: string;
  description: string;
  responses: Record<string, { description: string; content?: Content }>;
};

function section(address: string, operation: Operation, samples: readonly CallSample[] = []): string {
  const { operationId, summary, description, parameters, requestBody, responses } = operation;
  const answers = Object.entries(responses);
  const success = responses["200"]?.content;
  return `<section id="${operationId}">
<h3>${escapeHtml(summary)}</h3><p class="address">${code(address)}</p>
${markdownToHtml(description)}
${parameterTable(parameters)}
${requestBody ? `<h4>Body</h4>${contentHtml(requestBody.content)}` : ""}
${success ? `<h4>Answer</h4>${contentHtml(success)}` : ""}
<h4>Statuses</h4>${table(
    ["Status", "Codes"],
    answers.map(([status, { description: codes }]) => [status, codesHtml(codes)]),
  )}${samplesHtml(samples)}</section>`;
}

/** Closed at first, so that the page stays short. */
const samplesHtml = (samples: readonly CallSample[]): string =>
  samples.length === 0
    ? ""
    : `<details><summary>Samples</summary>${samples.map(({ language, text }) => block(language, text)).join("")}</details>`;

/** Codes lead to their entry on the page of errors. */
const codesHtml = (text: string): string =>
  text
    .split(", ")
    .map((name) =>
      /^[A-Z]\w*(\.\w+)?$/.test(name) && name !== "Success" && name !== "Delivered"
        ? `<a href="/docs/errors#${name}">${name}</a>`
        : escapeHtml(name),
    )
    .join(", ");

const parameterTable = (parameters: readonly Parameter[]): string =>
  table(
    ["Parameter", "In", "Form"],
    parameters.map(({ name, in: place, required, description, schema }) => [
      `${code(name)}${required ? " required" : ""}`,
      place,
      `${formOf(schema)} ${escapeHtml(description ?? "")}`,
    ]),
  );

const contentHtml = (content: Content): string =>
  Object.entries(content)
    .map(([type, { schema, example }]) => {
      const shown = example === undefined ? "" : block("json", JSON.stringify(example, null, 2));
      return `<p>${code(type)}: ${formOf(schema)}</p>${shown}`;
    })
    .join("");

function schemaBody(schema: JsonSchema): string {
  const { properties, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  if (!properties) return `<p>${formOf(schema)}</p>`;
  return table(
    ["Field", "Form"],
    Object.entries(properties).map(([name, property]) => [
      `${code(name)}${required.includes(name) ? " required" : ""}`,
      `${formOf(property)} ${escapeHtml(String(property.description ?? ""))}`,
    ]),
  );
}

/** A schema in a few words. */
function formOf(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") {
    const name = schema.$ref.replace(/^.*\//, "");
    return `<a href="#schema-${name}">${escapeHtml(name)}</a>`;
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(either)) return either.map((one: JsonSchema) => formOf(one)).join(" or ");
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => code(String(value))).join(", ");
  if ("const" in schema) return code(JSON.stringify(schema.const));
  if (isRecord(schema.items)) return `list of ${formOf(schema.items)}`;
  return [
    schema.format ?? schema.type ?? "anything",
    ...["minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems"]
      .filter((name) => schema[name] !== undefined)
      .map((name) => `${name} ${schema[name]}`),
    ...(typeof schema.pattern === "string" ? [code(schema.pattern)] : []),
  ].join(", ");
}
