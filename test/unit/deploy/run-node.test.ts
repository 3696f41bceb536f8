/** npm 10 leaves no node in node_modules/.bin, so that nothing may count on finding Node 24 there. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";

const root = join(import.meta.dirname, "../../..");
const runNode = join(root, "deploy/run-node");
const elsewhere = mkdtempSync(join(tmpdir(), "run-node-"));
afterAll(() => rmSync(elsewhere, { recursive: true }));

const SYSTEM_PATH = "/usr/bin:/bin";

/** A project that was not installed, on a machine whose node says this of itself. */
function whereNodeSays(version: string) {
  const project = mkdtempSync(join(elsewhere, "project-"));
  mkdirSync(join(project, "deploy"));
  cpSync(runNode, join(project, "deploy/run-node"));
  const program = join(project, "node");
  writeFileSync(program, `#!/bin/sh\n[ "$1" = --version ] && echo ${version} || echo "it runs $*"\n`);
  chmodSync(program, 0o755);
  return spawnSync(join(project, "deploy/run-node"), ["main.ts", "two words"], {
    env: { PATH: `${project}:${SYSTEM_PATH}` },
    encoding: "utf8",
  });
}

test("every script that runs our code runs it on the pinned Node", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const commands = Object.values<string>(scripts)
    .flatMap((command) => command.split(" && "))
    .filter((command) => /\.(ts|js)\b/.test(command));
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands)
    expect(command).toMatch(/^(npm run -s \S+ && )?(PBO_\w+=\S+ )?deploy\/run-node /);
});

test("the pinned Node, whatever the machine has", () => {
  const said = execFileSync(runNode, ["--print", "process.version + process.argv0"], {
    env: { PATH: SYSTEM_PATH },
    cwd: elsewhere,
    encoding: "utf8",
  });
  expect(said).toMatch(/^v24\..*node-linux-/);
});

test.each(["v24.0.0", "v26.1.0"])("not installed: a node %s on the PATH serves", (version) => {
  expect(whereNodeSays(version)).toMatchObject({ status: 0, stdout: "it runs main.ts two words\n" });
});

test.each(["v20.20.2", "v9.1.0", "rubbish"])("not installed and a node %s: a remedy", (version) => {
  const { status, stdout, stderr } = whereNodeSays(version);
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain(`found: ${version}`);
  expect(stderr).toContain("npm ci");
});
