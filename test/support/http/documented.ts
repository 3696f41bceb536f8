/** Holds answers against the API document: the status, the code, every field and no other. */
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { AUDIENCES, type Audience, audienceOf } from "../../../gateway/openapi/audiences.ts";
import { openApiDocument } from "../../../gateway/openapi/openapi.ts";
import type { Route } from "../../../gateway/route.ts";
import { ROUTES } from "../../../gateway/routes.ts";

type Json = Record<string, unknown>;
type Documented = Record<string, { description: string; headers?: Json; content: Json } | undefined>;
type Answer = { status: number; body: unknown; headers?: Headers };

type Document = Json & { paths: Record<string, Record<string, { responses: Documented } | undefined>> };

/** Nearly all of its work is to compile, once in each worker: each schema for itself, and as it is. */
const QUICKLY_COMPILED = { inlineRefs: false, code: { optimize: false } };
const ajv = new Ajv2020({ strict: false, allErrors: true, ...QUICKLY_COMPILED });
formats.default(ajv);
const documents = Object.fromEntries(
  Object.keys(AUDIENCES).map((name) => {
    const audience = name as Audience;
    const document = withoutOtherProperties(
      openApiDocument(audience, "https://onboarding.example"),
    ) as Document;
    ajv.addSchema(document, audience);
    return [audience, document];
  }),
) as Record<Audience, Document>;

/** Throws when the answer to a route is not one that the document shows; other paths it does not know. */
export function expectDocumented(
  method: string,
  url: string,
  answer: Answer,
  isReal: (route: Route) => boolean = () => true,
): void {
  const path = url.split("?")[0] ?? "";
  const route = routeOf(method, path);
  if (!route || !isReal(route)) return;
  const audience = audienceOf(route);
  const template = documentedPath(audience, route);
  const wrong = differences(audience, ["paths", template, method.toLowerCase(), "responses"], answer);
  if (wrong.length === 0) return;
  const { status, body } = answer;
  throw new Error(
    `${method} ${path} answered what the API document does not show: ${wrong.join("; ")} in ${status} ${JSON.stringify(body)}`,
  );
}

/** The same for the body of a webhook, or of an event on its way to become one. */
export function expectDocumentedEvent(event: Json): void {
  const place = ["partner", "webhooks", String(event.eventType), "post", "requestBody"];
  const wrong = schemaDifferences(place, event);
  if (wrong.length > 0)
    throw new Error(
      `An event that the API document does not show: ${wrong.join("; ")} in ${JSON.stringify(event)}`,
    );
}

function differences(
  audience: Audience,
  place: [string, string, string, string],
  { status, body, headers }: Answer,
): string[] {
  const [, template, method] = place;
  const documented = documents[audience].paths[template]?.[method]?.responses[status];
  if (!documented) return [`no status ${status}`];
  const code = codeOf(body);
  const codes = documented.description.split(", ");
  if (code !== null && !codes.includes(code)) return [`no code ${code}`];
  return [
    ...headerDifferences(headers, documented.headers),
    ...schemaDifferences([audience, ...place, String(status)], body),
  ];
}

/** Headers of HTTP itself, and of every answer of the gateway. */
const GENERAL_HEADERS =
  /^(connection|keep-alive|date|content-(type|length|encoding|security-policy)|transfer-encoding|vary|cache-control|pragma|x-(content-type-options|frame-options)|referrer-policy|cross-origin-resource-policy|strict-transport-security)$/;

function headerDifferences(sent: Headers | undefined, documented: Json = {}): string[] {
  const names = new Set(Object.keys(documented).map((name) => name.toLowerCase()));
  return [...(sent?.keys() ?? [])]
    .filter((name) => !GENERAL_HEADERS.test(name) && !names.has(name))
    .map((name) => `no header ${name}`);
}

function schemaDifferences([audience, ...place]: readonly string[], body: unknown): string[] {
  const at = [...place, "content", "application/json", "schema"];
  const validate = ajv.getSchema(`${audience}${sharedSchema(audience as Audience, at) ?? pointerTo(at)}`);
  if (!validate) return ["no schema"];
  if (validate(body)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The code of both envelopes, and of OAuth. */
function codeOf(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: string | { code: string } | null };
  return typeof error === "string" ? error : (error?.code ?? null);
}

/** Many answers are of one schema, which has a name; compiled by its name it is compiled once. */
const sharedSchema = (audience: Audience, at: readonly string[]): string | undefined =>
  at.reduce<Json | undefined>((inner, part) => inner?.[part] as Json | undefined, documents[audience])
    ?.$ref as string | undefined;

const pointerTo = (at: readonly string[]): string =>
  `#/${at.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

/** A word in a path goes before a parameter, as in the gateway. */
const PATTERNS = ROUTES.toSorted((a, b) => a.path.split(":").length - b.path.split(":").length).map(
  (route) => ({ route, pattern: new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`) }),
);
const routeOf = (method: string, path: string): Route | undefined =>
  PATTERNS.find(({ route, pattern }) => route.method === method && pattern.test(path))?.route;

const shapeOf = (path: string): string => path.replaceAll(/:\w+|\{\w+\}/g, "{}");

const documentedPath = (audience: Audience, { path }: Route): string =>
  Object.keys(documents[audience].paths).find((template) => shapeOf(template) === shapeOf(path)) ?? path;

/** A schema allows what it does not name; our answers have nothing that is not named. */
function withoutOtherProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOtherProperties);
  if (value === null || typeof value !== "object") return value;
  const all = Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withoutOtherProperties(inner)]),
  );
  return all.type === "object" && all.properties ? { additionalProperties: false, ...all } : all;
}
