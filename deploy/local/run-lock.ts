/** Lock file that allows one platform per state directory. */
import { rmSync, writeFileSync } from "node:fs";
import { readJson } from "../lib/files.ts";
import { identify, isRunning, type ProcessIdentity } from "../lib/process-identity.ts";

export type RunLock = ReturnType<typeof takeRunLock>;

type LockFile = ProcessIdentity & { baseUrl: string | null };

export class AlreadyRunningError extends Error {
  constructor({ pid, baseUrl }: LockFile) {
    super(
      `The platform is already running (process ${pid})${baseUrl ? ` at ${baseUrl}` : ", still starting"}.\n` +
        "Stop it with Ctrl-C in its terminal, or start another one with --state <dir> and PBO_PORT=0.",
    );
  }
}

export function takeRunLock(file: string) {
  const self = identify(process.pid) ?? { pid: process.pid, startedAt: "" };
  const content = (baseUrl: string | null) => `${JSON.stringify({ ...self, baseUrl } satisfies LockFile)}\n`;
  for (;;) {
    try {
      writeFileSync(file, content(null), { flag: "wx" });
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      const holder = readJson<LockFile>(file);
      if (holder && isRunning(holder)) throw new AlreadyRunningError(holder);
      rmSync(file, { force: true });
    }
  }
  return {
    announce: (baseUrl: string) => writeFileSync(file, content(baseUrl)),
    release: () => rmSync(file, { force: true }),
  };
}
