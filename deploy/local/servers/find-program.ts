/** Finds programs on the PATH. */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

export function findProgram(name: string, path: string | undefined, extraDirs: string[] = []): string | null {
  const dirs = [...(path ?? "").split(delimiter).filter(Boolean), ...extraDirs];
  return dirs.map((dir) => join(dir, name)).find(isExecutable) ?? null;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
