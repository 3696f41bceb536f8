/**
 * Clients as partners generate them from our API documents, with the generators' defaults where they compile, against a platform of its own.
 * Both documents compile. The partner's client makes a create, a list and a refused call, and sorts a hundred events.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Client as Api, createClient } from "../../deploy/client/typescript/src/index.ts";
import { exampleBusiness } from "../../deploy/demo/businesses.ts";
import { samplePdf } from "../../deploy/demo/sample-pdf.ts";
import { runMain } from "../../deploy/lib/command-line.ts";
import { demoPartner } from "../../deploy/lib/demo-data.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import { startPlatform } from "../support/stage/platform.ts";
import { waitFor } from "../support/wait-for.ts";
import { AUDIENCES, CLIENTS, type Client } from "./clients.ts";

/** Each customer below has one event of each type. */
const EVENT_TYPES = 5;
const CUSTOMERS = 20;
const EVENTS = CUSTOMERS * EVENT_TYPES;

type Said = { created: string; listed: number; refused: string; events: [type: string, className: string][] };

await runMain(async () => {
  const platform = await startPlatform({});
  try {
    const { clientId, privateKeyFile } = demoPartner(platform.demo, 1);
    const privateKey = readFileSync(privateKeyFile, "utf8");
    const api = createClient({ baseUrl: platform.baseUrl, clientId, privateKey });
    const cursor = await makeEvents(api);
    const env = async () => ({ BASE_URL: platform.baseUrl, TOKEN: await api.token(), CURSOR: cursor });
    const [only] = process.argv.slice(2);
    let failed = 0;
    for (const [name, client] of Object.entries(CLIENTS)) {
      if (only && !name.includes(only)) continue;
      const tools = client.tools();
      const outcome = tools === null ? "skipped: a tool is missing" : await tried(client, tools, env);
      // On CI no person reads that a client was skipped.
      if (outcome.startsWith("failed") || (tools === null && process.env.CI)) failed += 1;
      process.stdout.write(`${name}: ${outcome}\n`);
    }
    if (failed > 0) throw new Error(`${failed} of the generated clients failed.`);
  } finally {
    await platform.stop();
  }
});

/** Resolves to the cursor before them. */
async function makeEvents(api: Api): Promise<string> {
  let before = "";
  for await (const { nextCursor } of api.events()) before = nextCursor;
  for (let turn = 0; turn < CUSTOMERS; turn += 1) {
    const partnerCustomerId = `generated-${Date.now()}-${turn}`;
    const { customerId, ubos } = await api.create({ ...exampleBusiness(), partnerCustomerId });
    await api.patch(customerId, { website: "https://generated.example" });
    await api.patchPerson(customerId, ubos[0]?.uboId ?? "", { jobTitle: "Director" });
    const kind = { documentCategory: "CertificateOfIncorporation", contentType: "application/pdf" } as const;
    await api.upload(customerId, { file: new Uint8Array(samplePdf()), ...kind });
  }
  const count = async () => {
    let events = 0;
    for await (const { items } of api.events(before)) events += items.length;
    return events;
  };
  await waitFor(async () => (await count()) >= EVENTS, "the events of the customers");
  return before;
}

/** A token is valid for five minutes, which a generator can take. */
async function tried(client: Client, tools: string, env: () => Promise<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), "pbo-generated-"));
  for (const audience of AUDIENCES) {
    const document = openApiDocument(audience, "https://onboarding.example");
    writeFileSync(join(dir, `${audience}.json`), JSON.stringify(document));
  }
  const run = async (program: string, ...args: string[]) => {
    const all = { ...process.env, ...(await env()), WORK: dir };
    const options = { cwd: dir, env: all, maxBuffer: 64 * 1_048_576 };
    return (await promisify(execFile)(program, args, options)).stdout;
  };
  try {
    const said = JSON.parse(await client.use({ dir, run }, tools)) as Said;
    const wrong = faultsOf(said);
    return wrong.length > 0
      ? `failed: ${wrong.join("; ")}`
      : `works: ${said.events.length} events in their classes`;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return `failed: ${String(error).slice(0, 200)}\n${(stderr || stdout).slice(0, 4_000)}`;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function faultsOf({ created, listed, refused, events }: Said): string[] {
  const misplaced = events.filter(([type, className]) => className !== classOf(type));
  const types = new Set(events.map(([type]) => type));
  return [
    ...(/^[0-9a-f-]{36}$/.test(created) ? [] : [`created ${created}`]),
    ...(listed > 0 ? [] : ["the list is empty"]),
    ...(refused === "Validation" ? [] : [`the refusal is ${refused}`]),
    ...(events.length === EVENTS && types.size >= EVENT_TYPES
      ? []
      : [`${events.length} events of ${types.size} types`]),
    ...misplaced.slice(0, 3).map(([type, className]) => `${type} became a ${className}`),
  ];
}

/** business.profile.created is a BusinessProfileCreatedEvent. */
function classOf(type: string): string {
  return `${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}Event`;
}
