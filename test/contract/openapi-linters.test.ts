/** The linters that partners use report nothing about the API documents, and OWASP's rules only the known. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { childEnv } from "../../deploy/lib/child-env.ts";
import { projectDir } from "../../deploy/lib/paths.ts";
import { AUDIENCES, type Audience } from "../../gateway/openapi/audiences.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import { testWithTools } from "../outside/test-with-tools.ts";
import { npmTools } from "../outside/tools.ts";
import { type Finding, judgedFindings } from "../support/owasp.rules.ts";
import { nightlyTest } from "../support/skipped.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "pbo-openapi-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const run = promisify(execFile);
const documentOf = (audience: Audience) => openApiDocument(audience, "https://onboarding.example");

function written(name: string, document: object): string {
  const file = join(dir, `${name}.json`);
  writeFileSync(file, JSON.stringify(document));
  return file;
}

type Problem = {
  ruleId: string;
  message: string;
  location: { source: { ref: string }; pointer?: string }[];
};

/** Findings in each file. A start takes longer than a check; an error gives exit code 1. */
async function redocly(files: readonly string[]): Promise<string[][]> {
  const program = join(projectDir, "node_modules/@redocly/cli/bin/cli.js");
  const config = join(projectDir, "test/support/redocly.yaml");
  const args = [program, "lint", ...files, "--config", config, "--format", "json"];
  const env = childEnv({ REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });
  const { stdout } = await run(process.execPath, args, { env }).catch((failed: { stdout: string }) => failed);
  // The reports follow each other, each as JSON.
  const reports = JSON.parse(`[${stdout.replaceAll(/\}\s*\{\s*"totals"/g, '},{"totals"')}]`) as {
    problems: Problem[];
  }[];
  const problems = reports.flatMap((report) => report.problems);
  return files.map((file) =>
    problems
      .filter(({ location }) => file.endsWith(basename(location[0]?.source.ref ?? "")))
      .map(({ ruleId, message, location }) => `${ruleId} ${location[0]?.pointer}: ${message}`),
  );
}

async function spectral(files: readonly string[], owasp = ""): Promise<(Finding & { message: string })[][]> {
  const program = join(projectDir, "test/support/spectral.ts");
  const { stdout } = await run(process.execPath, [program, owasp, ...files], {
    env: childEnv({}),
    maxBuffer: 64 * 1_048_576,
  });
  return JSON.parse(stdout) as (Finding & { message: string })[][];
}

const audiences = Object.keys(AUDIENCES) as Audience[];
const clean = () => audiences.map((audience) => written(audience, documentOf(audience)));

nightlyTest.each(Object.entries({ Redocly: redocly, Spectral: spectral }))(
  "the documents are clean under the recommended rules of %s, which name what is wrong",
  async (_name, lint) => {
    const { paths: _, ...broken } = documentOf("partner");
    const wrong = written("broken", broken);

    const [ofWrong, ...ofClean] = await lint([wrong, ...clean()]);
    expect(ofClean).toEqual(audiences.map(() => []));
    expect(ofWrong).not.toEqual([]);
  },
);

const codeOf = ({ code, path }: Finding) => ({ code: code.replace(/^owasp:api\d+:2023-/, ""), path });

testWithTools(
  npmTools,
  "OWASP: every finding has a reason why it is none, and a key in a URL is found",
  async (tools) => {
    const { components, ...rest } = documentOf("partner") as { components: object };
    const securitySchemes = { key: { type: "apiKey", in: "query", name: "key" } };
    const wrong = written("insecure", { ...rest, components: { ...components, securitySchemes } });

    const [ofWrong, ...ofClean] = await spectral([wrong, ...clean()], tools);
    expect(judgedFindings(ofClean.flat().map(codeOf))).toEqual([]);
    expect(judgedFindings((ofWrong ?? []).map(codeOf))).toContainEqual(
      expect.stringContaining("no-api-keys-in-url"),
    );
  },
);
