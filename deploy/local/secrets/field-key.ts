/** The key for encrypted fields on this machine. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { writePrivateFile } from "../../lib/private-file.ts";

/** Made once: without it the encrypted fields of the kept data could never be read again. */
export function keepFieldKey(file: string): void {
  if (!existsSync(file)) writePrivateFile(file, `local1:${randomBytes(32).toString("base64")}\n`);
}
