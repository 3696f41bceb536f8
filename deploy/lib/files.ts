/** Files of the local platform's state. */
import { chmodSync, readFileSync, renameSync, writeFileSync } from "node:fs";

/** Writes a file atomically, readable by its owner only. */
export function writePrivateFile(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}

/** Null for a file that is missing or broken. */
export function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as T;
  } catch {
    return null;
  }
}
