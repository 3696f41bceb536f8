/** Secrets of a new installation, made by the operator's own command in a folder that goes with the test. */
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { adminCommand } from "../clients/admin-command.ts";

export type SecretsDir = { dir: string; read(entry: string): string };

export async function newSecretsDir(namespace = ""): Promise<SecretsDir> {
  const dir = join(mkdtempSync(join(tmpdir(), "pbo-secrets-")), "secrets");
  const { code, err } = await adminCommand(noBus, [
    ...["secrets", "new", "--certificates", "--to-directory", dir],
    ...(namespace ? ["--namespace", namespace] : []),
  ]);
  if (code !== 0) throw new Error(err);
  return { dir, read: (entry) => readFileSync(join(dir, entry), "utf8") };
}

const noBus = (): never => {
  throw new Error("secrets new needs no message bus");
};
