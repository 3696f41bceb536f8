/** Records children on disk, so that a reaper or the next start can stop them after the platform was killed. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { readJson } from "../../lib/files.ts";
import { isRunning, type ProcessIdentity, signalGroup } from "../../lib/process-identity.ts";
import { poll } from "../poll.ts";

/** Servers stop after the services that use them. */
type PidFile = ProcessIdentity & { server: boolean };

const GRACE_MS = 5_000;

export function writePidFile(file: string, content: PidFile): void {
  writeFileSync(file, JSON.stringify(content));
}

export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

/** Stops processes left by a killed platform and returns their names; a reused pid is left alone. */
export async function stopOrphans(runDir: string): Promise<string[]> {
  const orphans = readdirSync(runDir)
    .filter((name) => name.endsWith(".pid"))
    .map((name) => ({
      name: basename(name, ".pid"),
      file: join(runDir, name),
      content: read(join(runDir, name)),
    }));
  const running = orphans.filter(({ content }) => content && isRunning(content));
  for (const isServer of [false, true])
    await Promise.all(running.map(({ content }) => content?.server === isServer && stopOrphan(content)));
  // The next start may have written its own file by now.
  for (const { file, content } of orphans) if (read(file)?.pid === content?.pid) removePidFile(file);
  return running.map(({ name }) => name);
}

async function stopOrphan(identity: ProcessIdentity): Promise<void> {
  signalGroup(identity.pid, "SIGTERM");
  const gone = () => !isRunning(identity);
  await poll(gone, { withinMs: GRACE_MS, what: "an orphan to stop" }).catch(async () => {
    signalGroup(identity.pid, "SIGKILL");
    await poll(gone, { withinMs: GRACE_MS, what: `process ${identity.pid} to be gone` });
  });
}

function read(file: string): PidFile | null {
  const content = readJson<PidFile>(file);
  // A pid of 0 or 1 would signal other groups.
  return Number.isInteger(content?.pid) && (content?.pid ?? 0) > 1 ? content : null;
}
