/** The release is one version everywhere, and the workflows run commands that exist. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { parse } from "yaml";
import { projectDir } from "../../deploy/lib/paths.ts";
import { openApiDocument } from "../../gateway/openapi/openapi.ts";
import { VERSION } from "../../shared/version.ts";

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Job = { steps: Step[]; strategy?: { matrix: { command?: string[] } } };
type Workflow = {
  on: Record<string, unknown>;
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
};

const read = (file: string): string => readFileSync(join(projectDir, file), "utf8");
const workflows = Object.fromEntries(
  globSync(".github/workflows/*.yml", { cwd: projectDir }).map((file) => [
    basename(file, ".yml"),
    parse(read(file)) as Workflow,
  ]),
);
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

test("version: packages, lock file, chart, API documents and change notes agree", () => {
  const version = (file: string): string => JSON.parse(read(file)).version;
  expect([version("package-lock.json"), version("deploy/client/typescript/package.json")]).toEqual([
    VERSION,
    VERSION,
  ]);
  expect(read("deploy/client/python/pyproject.toml")).toContain(`\nversion = "${VERSION}"\n`);
  expect(parse(read("deploy/chart/Chart.yaml"))).toMatchObject({ version: VERSION, appVersion: VERSION });
  for (const audience of ["partner", "dashboard"] as const)
    expect(openApiDocument(audience, "https://kyb.example").info).toMatchObject({ version: VERSION });
  expect(read("CHANGELOG.md")).toMatch(new RegExp(`^## ${VERSION}$`, "m"));
  expect(read("deploy/docs/install.md")).toContain(`/partner-onboarding:${VERSION}\n`);
});

describe("workflows", () => {
  test("ci checks and tests each push and pull request, nightly runs on a schedule, release on a tag", () => {
    expect(Object.keys(workflows).toSorted()).toEqual(["ci", "nightly", "release"]);
    expect(workflows.ci?.on).toMatchObject({ push: { branches: ["main"] }, pull_request: null });
    expect(workflows.nightly?.on).toHaveProperty("schedule");
    expect(workflows.release?.on).toEqual({ push: { tags: ["v*"] } });
  });

  test("release publishes for two platforms with SBOM and provenance", () => {
    const steps = workflows.release ? stepsOf(workflows.release) : [];
    const build = steps.find(({ uses }) => uses?.startsWith("docker/build-push-action@"));
    expect(build?.with).toMatchObject({
      platforms: "linux/amd64,linux/arm64",
      sbom: true,
      provenance: "mode=max",
    });
    expect(steps.some(({ run }) => run?.startsWith("npm publish --provenance "))).toBe(true);
    expect(steps.some(({ uses }) => uses?.startsWith("pypa/gh-action-pypi-publish@"))).toBe(true);
  });

  test.each(Object.entries(workflows))(
    "%s: reads only by default, pins its actions, and each npm script exists",
    (_name, workflow) => {
      expect(workflow.permissions).toEqual({ contents: "read" });
      const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
      const commands = Object.values(workflow.jobs).flatMap(({ steps, strategy }) => [
        ...steps.map(({ run = "" }) => run),
        ...(strategy?.matrix.command ?? []),
      ]);
      const named = commands.flatMap((command) => [...command.matchAll(/npm run ([\w:]+)/g)]);
      expect(named.map(([, name = ""]) => name).filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
      for (const { uses } of stepsOf(workflow))
        if (uses) expect(uses).toMatch(/^[\w-]+\/[\w-]+@(v\d+|release\/v\d+|[0-9a-f]{40})$/);
    },
  );
});
