/** Writes a file atomically, readable by its owner only. */
import { chmodSync, renameSync, writeFileSync } from "node:fs";

export function writePrivateFile(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, content, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, file);
}
