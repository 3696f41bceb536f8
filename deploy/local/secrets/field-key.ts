/** Creates the field key once and keeps it: without it, stored encrypted fields could not be read again. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { writePrivateFile } from "../../lib/private-file.ts";

export function keepFieldKey(file: string): void {
  if (!existsSync(file)) writePrivateFile(file, `local1:${randomBytes(32).toString("base64")}\n`);
}
