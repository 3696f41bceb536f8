/** The client's package, with the types of the API document, compiles in a project of its own. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { guideSamples, programsOf } from "../support/docs/guide-samples.ts";
import { checkTypes, installClient } from "../support/docs/installed-client.ts";
import { referenceProgram, referenceSamples } from "../support/docs/reference-samples.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-client-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const BASE_URL = "https://onboarding.example";
const USE = `
import { createClient, unwrap, type WebhookEvent } from "@partner-onboarding/client";
const client = createClient({ baseUrl: "https://x.example", clientId: "c", privateKey: "k" });
export async function journey(body: string, headers: Headers): Promise<string[]> {
  const { customerId, ubos } = await client.create({
    partnerCustomerId: "a", email: "a@b.example", companyName: "AB", businessTypeCode: "LLC",
    incorporationCountryIso3Code: "NGA", industry: "CustomerRevenue", website: "https://b.example", registrationNumber: "1",
  });
  for await (const { companyName } of client.list()) ubos.push({ uboId: companyName, firstName: "", lastName: "", email: "" });
  const event: WebhookEvent = unwrap(body, headers, "whsec_");
  if (event.eventType === "business.document.confirmed") return [event.data.documentId, customerId];
  // @ts-expect-error: only the event of a document has one
  return [event.data.documentId];
}
// @ts-expect-error: companyName and others are missing
client.create({ partnerCustomerId: "a" });
`;

test("the package is built without a dependency; its types tell a right use from a wrong one, and take the documentation's samples", () => {
  const installed = installClient(dir);
  const samples = guideSamples(BASE_URL);
  const { sandbox, guides } = programsOf(samples, "ts");
  const reference = referenceProgram(referenceSamples(BASE_URL), samples, "ts").text;
  const programs = { use: USE, sandbox, guides, reference };
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(dir, `${name}.ts`), text);
  expect(checkTypes(dir, ...Object.keys(programs).map((name) => `${name}.ts`))).toBe("");
  const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as object;
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
});
