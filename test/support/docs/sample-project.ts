/** A partner's project: its key, the clients as they are installed, and programs made of the documentation's samples. */
import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { samplePdf } from "../../../deploy/demo/sample-pdf.ts";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import type { DemoPartner } from "../../../deploy/lib/demo-data.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { createExample } from "../../../services/profile/read/examples.schemas.ts";
import { aReference } from "../builders/profile-builders.ts";
import { installClient } from "./installed-client.ts";

export type SampleProject = ReturnType<typeof openSampleProject>;
type Env = Record<string, string>;

const ENDS_WITHIN_MS = 90_000;
const PROGRAMS = {
  ts: { command: process.execPath, extension: "ts" },
  python: { command: "python3", extension: "py" },
} as const;

export function openSampleProject({ clientId, privateKeyFile }: DemoPartner, more: Env) {
  const dir = mkdtempSync(join(tmpdir(), "pbo-samples-"));
  installClient(dir);
  copyFileSync(privateKeyFile, join(dir, "key.pem"));
  writeFileSync(join(dir, "certificate.pdf"), samplePdf());
  const PYTHONPATH = join(projectDir, "deploy/client/python");
  const given = { CLIENT_ID: clientId, PYTHONPATH, PYTHONDONTWRITEBYTECODE: "1", ...more };

  async function run(command: string, args: string[], env: Env): Promise<string> {
    const options = { cwd: dir, env: childEnv({ ...given, ...env }), timeout: ENDS_WITHIN_MS };
    return (await promisify(execFile)(command, args, options)).stdout;
  }
  // The reference is the partner's own: each program has another one.
  const own = (text: string, reference: string): string =>
    text.replaceAll(createExample.body.partnerCustomerId, reference);

  return {
    write: (file: string, text: string) => writeFileSync(join(dir, file), text),
    node: (args: string[]) => run(process.execPath, args, {}),
    shell: (text: string, env: Env, reference: string) => run("sh", ["-ec", own(text, reference)], env),
    program(language: keyof typeof PROGRAMS, name: string, text: string, env: Env = {}): Promise<string> {
      const { command, extension } = PROGRAMS[language];
      writeFileSync(join(dir, `${name}.${extension}`), own(text, aReference()));
      return run(command, [`${name}.${extension}`], env);
    },
    close: () => rmSync(dir, { recursive: true, force: true }),
  };
}
