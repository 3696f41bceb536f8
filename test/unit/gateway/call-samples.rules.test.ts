import { describe, expect, test } from "@jest/globals";
import { audienceOf } from "../../../gateway/openapi/audiences.ts";
import { camelCase } from "../../../gateway/openapi/named-schemas.rules.ts";
import { asPython, callSamples } from "../../../gateway/openapi/pages/call-samples.rules.ts";
import { ROUTES } from "../../../gateway/routes.ts";
import { referenceSamples } from "../../support/docs/reference-samples.ts";

const BASE_URL = "https://onboarding.example";
const inPath = (name: string) => ({ name, in: "path", required: true, schema: {} });
const json = (example: unknown) => ({ content: { "application/json": { schema: {}, example } } });

describe("callSamples", () => {
  test("a call with ids and a body: each language has its own names for what the reader knows", () => {
    const call = {
      operationId: "profilePatchPerson",
      parameters: [inPath("customerId"), inPath("uboId")],
      requestBody: json({ lastName: "Bello", uboId: "an example" }),
    };
    expect(callSamples(BASE_URL, "patch", "/c/{customerId}/p/{uboId}", call)).toEqual([
      {
        language: "sh",
        text: [
          `curl -s -X PATCH "${BASE_URL}/c/$CUSTOMER_ID/p/$UBO_ID" \\`,
          '  -H "Authorization: Bearer $TOKEN" \\',
          '  -H "Content-Type: application/json" \\',
          `  -d '{\n  "lastName": "Bello",\n  "uboId": "'$UBO_ID'"\n}'`,
        ].join("\n"),
      },
      {
        language: "ts",
        text: 'const answer = await client.patchPerson(customerId, uboId, {\n  "lastName": "Bello",\n  "uboId": uboId\n});',
      },
      {
        language: "python",
        text: 'answer = client.patch_person(customer_id, ubo_id, {\n  "lastName": "Bello",\n  "uboId": ubo_id\n})',
      },
    ]);
  });

  test("a query that must be there: its example", () => {
    const schema = { examples: ["NGA"] };
    const parameters = [
      { name: "countryCode", in: "query", required: true, schema },
      { name: "page", in: "query", required: false, schema: {} },
    ];
    const [curl, ts] = callSamples(BASE_URL, "get", "/r", {
      operationId: "profileIdentityRequirements",
      parameters,
    });
    expect(curl?.text).toContain(`"${BASE_URL}/r?countryCode=NGA"`);
    expect(ts?.text).toBe('const answer = await client.identityRequirements("NGA");');
  });

  test("a form: by what the reader has where it is theirs, the client makes it by itself", () => {
    const example = { grant_type: "client_credentials", client_assertion: "an example" };
    const [curl, ts] = callSamples(BASE_URL, "post", "/token", {
      operationId: "authTokenIssueTokens",
      parameters: [],
      security: [],
      requestBody: { content: { "application/x-www-form-urlencoded": { schema: {}, example } } },
    });
    expect(curl?.text).toBe(
      `curl -s "${BASE_URL}/token" \\\n  -d grant_type=client_credentials \\\n  -d client_assertion="$ASSERTION"`,
    );
    expect(ts?.text).toBe("const answer = await client.token();");
  });

  test.each([
    ["profileList", "list"],
    ["deliveryListEvents", "events"],
  ])("%s: the client walks all pages", (operationId, method) => {
    const [, ts, python] = callSamples(BASE_URL, "get", "/c", { operationId, parameters: [] });
    expect(ts?.text).toBe(`for await (const one of client.${method}()) console.log(one);`);
    expect(python?.text).toBe(`for one in client.${method}():\n    print(one)`);
  });

  test("a replacement names its customer in the body alone", () => {
    const [curl, ts] = callSamples(BASE_URL, "put", "/c/{businessProfileId}", {
      operationId: "profileReplace",
      parameters: [inPath("businessProfileId")],
      requestBody: json({ customerId: "an example" }),
    });
    expect(curl?.text).toContain(`"${BASE_URL}/c/$CUSTOMER_ID"`);
    expect(ts?.text).toBe('const answer = await client.replace({\n  "customerId": customerId\n});');
  });

  test("a route without a client method has a curl sample only, without a token where none is needed", () => {
    const call = { operationId: "profilePing", parameters: [], security: [], requestBody: { content: {} } };
    expect(callSamples(BASE_URL, "get", "/ping", call)).toEqual([
      { language: "sh", text: `curl -s "${BASE_URL}/ping"` },
    ]);
  });

  test("every call with a token has a sample in every language", () => {
    const samples = Map.groupBy(referenceSamples(BASE_URL), ({ operationId }) => operationId);
    for (const route of ROUTES.filter(({ auth }) => auth === "partner"))
      expect([route.action, audienceOf(route), samples.get(camelCase(route.action))?.length]).toEqual([
        route.action,
        "partner",
        3,
      ]);
  });
});

test("asPython: words that are values, and no word within a text", () => {
  const value = { a: true, b: [false, null], c: "null", d: "it is true" };
  expect(asPython(JSON.stringify(value, null, 2))).toBe(
    '{\n  "a": True,\n  "b": [\n    False,\n    None\n  ],\n  "c": "null",\n  "d": "it is true"\n}',
  );
});
