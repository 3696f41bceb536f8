/** Writes files that hold secrets. */
import { chmodSync, renameSync, writeFileSync } from "node:fs";

/** Whole or not at all, and for its owner only. */
export function writePrivateFile(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
