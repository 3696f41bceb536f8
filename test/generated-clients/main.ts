/**
 * Clients as partners generate them from our API document, with the generators' defaults, against the running `npm start`.
 * Each is compiled, makes a create, a list and a refused call, and sorts a hundred events into its classes.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Client as Api, createClient } from "../../deploy/client/typescript/src/index.ts";
import { exampleBusiness } from "../../deploy/demo/businesses.ts";
import { samplePdf } from "../../deploy/demo/sample-pdf.ts";
import { runMain } from "../../deploy/lib/command-line.ts";
import { demoPartner } from "../../deploy/lib/demo-data.ts";
import { findPlatform } from "../../deploy/lib/find-platform.ts";
import { findProgram } from "../../deploy/local/servers/find-program.ts";
import { waitFor } from "../support/wait-for.ts";

const VERSIONS = { java: "7.25.0", python: "0.29.1", go: "v2.8.2" };
/** Each customer below has one event of each type. */
const EVENT_TYPES = 5;
const CUSTOMERS = 20;
const EVENTS = CUSTOMERS * EVENT_TYPES;

type Run = (program: string, ...args: string[]) => Promise<string>;
type Work = { dir: string; document: string; run: Run };
type Said = { created: string; listed: number; refused: string; events: [type: string, className: string][] };
/** Prepares the client and resolves to what its program printed. */
type Client = { needs: readonly string[]; use(work: Work): Promise<string> };

const here = import.meta.dirname;
const exec = promisify(execFile);

const java: Client = {
  needs: ["java", "mvn"],
  async use({ dir, document, run }) {
    const artifact = `org.openapitools:openapi-generator-cli:${VERSIONS.java}`;
    await run("mvn", "-q", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${dir}`);
    const jar = join(dir, `openapi-generator-cli-${VERSIONS.java}.jar`);
    const generate = ["generate", "-g", "java", "--library", "native", "-i", document, "-o", dir];
    await run("java", "-jar", jar, ...generate);
    copyFileSync(join(here, "Driver.java"), join(dir, "src/main/java/Driver.java"));
    const classPath = join(dir, "classpath.txt");
    await run("mvn", "-q", "compile", "dependency:build-classpath", `-Dmdep.outputFile=${classPath}`);
    const path = `${join(dir, "target/classes")}:${readFileSync(classPath, "utf8").trim()}`;
    return run("java", "-cp", path, "Driver");
  },
};

const python: Client = {
  needs: ["python3"],
  async use({ dir, document, run }) {
    const inVenv = (program: string) => join(dir, "venv/bin", program);
    await run("python3", "-m", "venv", join(dir, "venv"));
    await run(inVenv("pip"), "install", "--quiet", `openapi-python-client==${VERSIONS.python}`);
    const target = ["--meta", "none", "--output-path", join(dir, "partner_client")];
    await run(inVenv("openapi-python-client"), "generate", "--path", document, ...target);
    return run(inVenv("python"), join(here, "driver.py"));
  },
};

const go: Client = {
  needs: ["go"],
  async use({ dir, document, run }) {
    const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${VERSIONS.go}`;
    mkdirSync(join(dir, "client"));
    const target = ["-package", "client", "-o", join(dir, "client/client.go")];
    await run("go", "run", generator, "-generate", "types,client", ...target, document);
    copyFileSync(join(here, "driver.go"), join(dir, "main.go"));
    await run("go", "mod", "init", "generated");
    await run("go", "mod", "tidy");
    return run("go", "run", ".");
  },
};

await runMain(async () => {
  const demo = await findPlatform(process.argv[2] ?? ".local");
  const { clientId, privateKeyFile } = demoPartner(demo, 1);
  const api = createClient({
    baseUrl: demo.baseUrl,
    clientId,
    privateKey: readFileSync(privateKeyFile, "utf8"),
  });
  const cursor = await makeEvents(api);
  const document = await (await fetch(`${demo.baseUrl}/api/openapi.json`)).text();
  let failed = 0;
  for (const [name, client] of Object.entries({ go, python, java })) {
    const missing = client.needs.filter((program) => findProgram(program, process.env.PATH) === null);
    const outcome =
      missing.length > 0
        ? `skipped: ${missing.join(", ")} is not installed`
        : await tried(client, document, async () => ({
            BASE_URL: demo.baseUrl,
            TOKEN: await api.token(),
            CURSOR: cursor,
          }));
    if (outcome.startsWith("failed")) failed += 1;
    process.stdout.write(`${name}: ${outcome}\n`);
  }
  if (failed > 0) throw new Error(`${failed} of the generated clients failed.`);
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
async function tried(
  client: Client,
  text: string,
  env: () => Promise<Record<string, string>>,
): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "pbo-generated-"));
  const document = join(dir, "openapi.json");
  writeFileSync(document, text);
  const run: Run = async (program, ...args) => {
    const options = {
      cwd: dir,
      env: { ...process.env, ...(await env()), WORK: dir },
      maxBuffer: 64 * 1_048_576,
    };
    return (await exec(program, args, options)).stdout;
  };
  try {
    const said = JSON.parse(await client.use({ dir, document, run })) as Said;
    const wrong = faultsOf(said);
    return wrong.length > 0
      ? `failed: ${wrong.join("; ")}`
      : `works: ${said.events.length} events in their classes`;
  } catch (error) {
    return `failed: ${String(error).slice(0, 2_000)}`;
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
