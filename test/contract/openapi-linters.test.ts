/** What the linters that partners use say about the API documents: nothing. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "@jest/globals";
import spectralCore from "@stoplight/spectral-core";
import spectralRulesets from "@stoplight/spectral-rulesets";
import { childEnv } from "../../deploy/lib/child-env.ts";
import { projectDir } from "../../deploy/lib/paths.ts";
import { AUDIENCES, type Audience } from "../../gateway/openapi/audiences.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";

const dir = mkdtempSync(join(tmpdir(), "pbo-openapi-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const run = promisify(execFile);

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

async function spectral(document: object): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset(new spectralCore.Ruleset({ extends: [[spectralRulesets.oas, "recommended"]] }));
  const found = await linter.run({ ...document });
  return found.map(({ code, path, message }) => `${code} ${path.join("/")}: ${message}`);
}

describe.each(Object.keys(AUDIENCES) as Audience[])("the document of the %s", (audience) => {
  const document = openApiDocument(audience, "https://onboarding.example");

  test("is clean under Redocly's recommended rules", async () => {
    const file = join(dir, `${audience}.json`);
    writeFileSync(file, JSON.stringify(document));
    expect(await redocly(file)).toEqual([]);
  });

  test("is clean under Spectral's recommended rules", async () => {
    expect(await spectral(document)).toEqual([]);
  });
});

test("both linters name what is wrong", async () => {
  const { paths: _, ...broken } = openApiDocument("partner", "https://onboarding.example");
  const file = join(dir, "broken.json");
  writeFileSync(file, JSON.stringify(broken));
  expect(await spectral(broken)).not.toEqual([]);
  expect(await redocly(file)).not.toEqual([]);
});
