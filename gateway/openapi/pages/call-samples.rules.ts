/** A call by curl, and by our clients in TypeScript and Python: made from what the API document shows of it. */
import type { JsonSchema } from "../../../shared/contract/answer-schema.ts";
import { isRecord } from "../../../shared/is-record.ts";

export type Content = Record<string, { schema: JsonSchema; example?: unknown }>;
export type Parameter = {
  name: string;
  in: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
export type SampledCall = {
  operationId: string;
  parameters: readonly Parameter[];
  requestBody?: { content: Content };
  security?: readonly object[];
};
export type CallSample = { language: "sh" | "ts" | "python"; text: string };

/** Methods of our clients; a call without one has no entry. */
const CLIENT_METHODS: Record<string, string> = {
  authTokenIssueTokens: "token",
  profileCreate: "create",
  profileReplace: "replace",
  profilePatch: "patch",
  profilePatchPerson: "patchPerson",
  profileList: "list",
  profileGetByReference: "getByReference",
  profileGet: "get",
  profileVerificationStatus: "verificationStatus",
  profileSimulate: "simulate",
  documentCreateUploadLink: "uploadLink",
  deliveryListEvents: "events",
  profileIdentityRequirements: "identityRequirements",
  profileCountries: "countries",
  profileBusinessTypes: "businessTypes",
};
/** Their methods walk all pages. */
const ITERATED = ["list", "events"];
/** The client makes the assertion by itself. */
const WITHOUT_BODY = ["authTokenIssueTokens"];

/** Readers of a sample put in their own values for these. */
const VARIABLES: Record<string, string> = {
  customerId: "customerId",
  businessProfileId: "customerId",
  uboId: "uboId",
  client_assertion: "assertion",
};

export function callSamples(baseUrl: string, method: string, path: string, call: SampledCall): CallSample[] {
  const name = CLIENT_METHODS[call.operationId];
  const url = `${baseUrl}${path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => inShell(variableOf(parameter)))}`;
  const curl: CallSample = { language: "sh", text: curlOf(method, url, call) };
  if (!name) return [curl];
  return [
    curl,
    {
      language: "ts",
      text: inTypeScript(
        name,
        argumentsOf(call, (variable) => variable),
      ),
    },
    { language: "python", text: inPython(snakeCase(name), argumentsOf(call, snakeCase)) },
  ];
}

function curlOf(method: string, url: string, { parameters, requestBody, security }: SampledCall): string {
  const query = requiredQuery(parameters).map(({ name, value }) => `${name}=${value}`);
  const address = `"${[url, ...query].join("?")}"`;
  const verb = method === "get" || method === "post" ? "" : ` -X ${method.toUpperCase()}`;
  const token = security?.length === 0 ? [] : ['-H "Authorization: Bearer $TOKEN"'];
  const options = [...token, ...dataOf(requestBody?.content ?? {})];
  return [`curl -s${verb} ${address}`, ...options].join(" \\\n  ");
}

function dataOf(content: Content): string[] {
  const [[type, { example }] = ["", { example: undefined }]] = Object.entries(content);
  if (example === undefined) return [];
  if (type === "application/json")
    return [
      '-H "Content-Type: application/json"',
      `-d '${literal(example, (name) => `"'${inShell(name)}'"`)}'`,
    ];
  return Object.entries(example as object).map(
    ([name, value]) => `-d ${name}=${VARIABLES[name] ? `"${inShell(variableOf(name))}"` : value}`,
  );
}

/** Arguments from the path, the body, then the required query. A replacement names its customer in the body. */
function argumentsOf(call: SampledCall, write: (variable: string) => string): string[] {
  const [content] = Object.values(call.requestBody?.content ?? {});
  const body = WITHOUT_BODY.includes(call.operationId) ? undefined : content?.example;
  const isNamedInBody = isRecord(body) && "customerId" in body;
  const inPath = call.parameters.filter((parameter) => parameter.in === "path" && !isNamedInBody);
  return [
    ...inPath.map(({ name }) => write(variableOf(name))),
    ...(body === undefined ? [] : [literal(body, write)]),
    ...requiredQuery(call.parameters).map(({ value }) => JSON.stringify(value)),
  ];
}

const requiredQuery = (parameters: readonly Parameter[]): { name: string; value: unknown }[] =>
  parameters
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name, schema }) => ({ name, value: (schema.examples as unknown[] | undefined)?.[0] }));

const inTypeScript = (name: string, given: readonly string[]): string =>
  ITERATED.includes(name)
    ? `for await (const one of client.${name}()) console.log(one);`
    : `const answer = await client.${name}(${given.join(", ")});`;

const inPython = (name: string, given: readonly string[]): string =>
  ITERATED.includes(name)
    ? `for one in client.${name}():\n    print(one)`
    : `answer = client.${name}(${given.map(asPython).join(", ")})`;

/** JSON, which TypeScript reads as it is, with a variable where the example has an id. */
function literal(value: unknown, write: (variable: string) => string): string {
  const marked = JSON.stringify(
    value,
    (name, inner) => (VARIABLES[name] ? `\u0000${VARIABLES[name]}` : inner),
    2,
  );
  return marked.replaceAll(/"\\u0000(\w+)"/g, (_, name: string) => write(name));
}

/** In JSON of many lines, a value that is a word of its own ends its line. */
export const asPython = (json: string): string =>
  json
    .replaceAll(/\btrue(?=,?$)/gm, "True")
    .replaceAll(/\bfalse(?=,?$)/gm, "False")
    .replaceAll(/\bnull(?=,?$)/gm, "None");

const variableOf = (parameter: string): string => VARIABLES[parameter] ?? parameter;
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const inShell = (variable: string): string => `$${snakeCase(variable).toUpperCase()}`;
