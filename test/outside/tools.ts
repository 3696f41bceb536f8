/** Tools of others in the versions of package.json and requirements.txt here. The product depends on none of them. */
import { execFile, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectDir } from "../../deploy/lib/paths.ts";

type Command = readonly [program: string, ...args: string[]];

/** The folder with node_modules; null where npm cannot install them. */
export const npmTools = (): string | null =>
  installed("package.json", () => [
    ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock"],
  ]);

/** The folder with bin/python; null where Python or PyPI is missing. */
export const pythonTools = (): string | null =>
  installed("requirements.txt", (dir) => [
    ["python3", "-m", "venv", dir],
    [join(dir, "bin/pip"), "install", "--quiet", "--requirement", join(dir, "requirements.txt")],
  ]);

/** A program of this folder, which reads JSON and prints JSON. */
export async function runPython<T>(tools: string, program: string, input: unknown): Promise<T> {
  const running = promisify(execFile)(join(tools, "bin/python"), [join(import.meta.dirname, program)], {
    maxBuffer: 64 * 1_048_576,
  });
  running.child.stdin?.end(JSON.stringify(input));
  return JSON.parse((await running).stdout) as T;
}

/** Once per manifest. A run on CI fails where the tools are missing: nobody reads there that a suite was skipped. */
function installed(manifest: string, commandsIn: (dir: string) => readonly Command[]): string | null {
  const source = join(import.meta.dirname, manifest);
  const version = createHash("sha256").update(readFileSync(source)).digest("hex").slice(0, 12);
  const dir = join(projectDir, ".local/outside", `${manifest}-${version}`);
  const done = join(dir, "installed");
  if (existsSync(done)) return dir;
  mkdirSync(dir, { recursive: true });
  copyFileSync(source, join(dir, manifest));
  for (const [program, ...args] of commandsIn(dir)) {
    const { status, stderr } = spawnSync(program, args, { cwd: dir, encoding: "utf8" });
    if (status === 0) continue;
    if (process.env.CI) throw new Error(`${program} ${args.join(" ")}: ${stderr}`);
    return null;
  }
  writeFileSync(done, "");
  return dir;
}
