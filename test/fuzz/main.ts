/** Requests that schemathesis makes from the API documents, as each kind of caller: no 5xx, every answer in the document. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "../../deploy/client/typescript/src/index.ts";
import { runMain, wholeNumber } from "../../deploy/lib/command-line.ts";
import { type DemoClient, demoPartner } from "../../deploy/lib/demo-data.ts";
import type { Audience } from "../../gateway/openapi/audiences.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import { pythonTools } from "../outside/tools.ts";
import { startPlatform, type TestPlatform } from "../support/stage/platform.ts";

const DEMO_CUSTOMERS = 200;
const SECONDS = 180;
/** A token is valid for 300 s. */
const MOST_SECONDS = 280;
/** A run of this length makes several times as many. */
const LEAST_CASES_PER_SECOND = 2;

type Login = { email: string; password: string };
type Caller = { audience: Audience; routes: string; secret(): Promise<string> };

function callersOf({ demo, baseUrl }: TestPlatform): Record<string, Caller> {
  const partner = demoPartner(demo, 1);
  const client = ({ clientId, privateKeyFile }: DemoClient): Caller => ({
    audience: "partner",
    routes: "",
    secret: () =>
      createClient({ baseUrl, clientId, privateKey: readFileSync(privateKeyFile, "utf8") }).token(),
  });
  const person = (routes: string, login: Login | undefined): Caller => ({
    audience: "dashboard",
    routes,
    async secret() {
      const answer = await fetch(`${baseUrl}/api/customer/v1/session`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ email: login?.email, password: login?.password }),
      });
      return /=([^;]+)/.exec(answer.headers.getSetCookie()[0] ?? "")?.[1] ?? "";
    },
  });
  const owner = partner.users.find(({ role }) => role === "Owner");
  return {
    "sandbox client": client(partner.sandbox ?? partner),
    "live client": client(partner),
    owner: person("^/api/customer/", owner),
    analyst: person("^/api/(compliance/|customer/v1/session)", demo.analysts[0]),
  };
}

await runMain(async () => {
  const tools = pythonTools();
  if (tools === null) return void process.stdout.write("skipped: python3 or PyPI is missing\n");
  const seconds = wholeNumber("the seconds", process.argv[2] ?? String(SECONDS), 1, MOST_SECONDS);
  const platform = await startPlatform({ demoCustomers: DEMO_CUSTOMERS });
  const dir = mkdtempSync(join(tmpdir(), "pbo-fuzz-"));
  try {
    let failed = 0;
    for (const [name, { audience, routes, secret }] of Object.entries(callersOf(platform))) {
      const document = join(dir, `${audience}.json`);
      writeFileSync(document, JSON.stringify(openApiDocument(audience, platform.baseUrl)));
      const config = ["--config-file", join(import.meta.dirname, "schemathesis.toml"), "--no-color"];
      const target = ["run", document, "--url", platform.baseUrl, "--include-path-regex", routes];
      const token = await secret();
      const { stdout, code } = await promisify(execFile)(
        join(tools, "bin/schemathesis"),
        [...config, ...target, "--max-time", String(seconds)],
        {
          cwd: dir,
          maxBuffer: 64 * 1_048_576,
          env: { ...process.env, PBO_FUZZ_TOKEN: token, PBO_FUZZ_SESSION: token },
        },
      ).then(
        ({ stdout }) => ({ stdout, code: 0 }),
        (error: { stdout: string; code: number }) => error,
      );
      const cases = Number(/(\d[\d,]*) generated/.exec(stdout)?.[1]?.replaceAll(",", "") ?? 0);
      const passed = code === 0 && cases >= seconds * LEAST_CASES_PER_SECOND;
      if (!passed) failed += 1;
      process.stdout.write(`${name}: ${cases} cases, ${passed ? "no fault" : stdout}\n`);
    }
    if (failed > 0) throw new Error(`schemathesis found faults as ${failed} of the callers.`);
  } finally {
    await platform.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});
