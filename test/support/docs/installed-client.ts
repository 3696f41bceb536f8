/** The TypeScript client as a partner has it: built, and installed in a project of its own. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clientTypes } from "../../../deploy/client/write-types.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";

/** Answers where the package is; throws what the compiler says. */
export function installClient(dir: string): string {
  const installed = join(dir, "node_modules/@partner-onboarding/client");
  mkdirSync(join(dir, "node_modules/@types"), { recursive: true });
  for (const name of ["@types/node", "undici-types"])
    symlinkSync(join(projectDir, "node_modules", name), join(dir, "node_modules", name));
  cpSync(join(projectDir, "deploy/client/typescript"), installed, { recursive: true });
  writeFileSync(join(installed, "src/types.ts"), clientTypes());
  tsc(dir, "-p", installed);
  rmSync(join(installed, "src"), { recursive: true });
  writeFileSync(join(dir, "package.json"), '{ "type": "module" }');
  return installed;
}

export const checkTypes = (dir: string, ...files: string[]): string =>
  tsc(dir, "--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--types", "node", ...files);

function tsc(dir: string, ...args: string[]): string {
  const program = join(projectDir, "node_modules/typescript/bin/tsc");
  try {
    return execFileSync(process.execPath, [program, ...args], { cwd: dir, encoding: "utf8" });
  } catch (failed) {
    throw new Error((failed as { stdout: string }).stdout);
  }
}
