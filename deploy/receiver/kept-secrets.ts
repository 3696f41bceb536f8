/** The secrets the receiver was given, kept for its next start: the platform shows each only once. */
import { existsSync, readFileSync } from "node:fs";
import { statePaths } from "../lib/paths.ts";
import { writePrivateFile } from "../lib/private-file.ts";

export type KeptSecrets = {
  of(partnerId: string): string | undefined;
  keep(partnerId: string, secret: string): void;
};

export function keptSecrets(stateDir: string): KeptSecrets {
  const { receiverSecretsFile: file } = statePaths(stateDir);
  const read = (): Record<string, string> => (existsSync(file) ? parse(readFileSync(file, "utf8")) : {});
  return {
    of: (partnerId) => read()[partnerId],
    keep: (partnerId, secret) =>
      writePrivateFile(file, `${JSON.stringify({ ...read(), [partnerId]: secret }, null, 2)}\n`),
  };
}

/** A file that cannot be read is as good as none: a new secret is asked for. */
function parse(text: string): Record<string, string> {
  try {
    return JSON.parse(text) as Record<string, string>;
  } catch {
    return {};
  }
}
