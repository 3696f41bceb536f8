/** What the linters that partners use say about the API documents: nothing. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "@jest/globals";
import { childEnv } from "../../deploy/lib/child-env.ts";
import { projectDir } from "../../deploy/lib/paths.ts";
import { AUDIENCES, type Audience } from "../../gateway/openapi/audiences.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-openapi-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const run = promisify(execFile);
const documentOf = (audience: Audience) => openApiDocument(audience, "https://onboarding.example");

function written(name: string, document: object): string {
  const file = join(dir, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

/** It exits with 1 when it finds an error, and says all on stdout. */
async function redocly(file: string): Promise<string[]> {
  const program = join(projectDir, "node_modules/@redocly/cli/bin/cli.js");
  const config = join(projectDir, "test/support/redocly.yaml");
  const args = [program, "lint", file, "--config", config, "--format", "json"];
  const env = childEnv({ REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
  const { stdout } = await run(process.execPath, args, { env }).catch((failed: { stdout: string }) => failed);
  const { problems } = JSON.parse(stdout) as {
    problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
  };
  return problems.map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`);
}

/** What it finds in each file. */
async function spectral(files: readonly string[]): Promise<string[][]> {
  const program = join(projectDir, "test/support/spectral.ts");
  const { stdout } = await run(process.execPath, [program, ...files], { env: childEnv({}) });
  return JSON.parse(stdout) as string[][];
}

test("the documents are clean under Redocly's and Spectral's recommended rules, which name what is wrong", async () => {
  const { paths: _, ...broken } = documentOf("partner");
  const audiences = Object.keys(AUDIENCES) as Audience[];
  const clean = audiences.map((audience) => written(audience, documentOf(audience)));
  const wrong = written("broken", broken);

  const [ofWrong, ...ofClean] = await spectral([wrong, ...clean]);
  expect(ofClean).toEqual(audiences.map(() => []));
  expect(ofWrong).not.toEqual([]);

  for (const file of clean) expect(await redocly(file)).toEqual([]);
  expect(await redocly(wrong)).not.toEqual([]);
});
