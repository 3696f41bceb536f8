/** Records children on disk, in case both the platform and its reaper are killed. */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isRunning, type ProcessIdentity, signalGroup } from "../../lib/process-identity.ts";
import { poll } from "../poll.ts";

const GRACE_MS = 5_000;

export function writePidFile(file: string, identity: ProcessIdentity): void {
  writeFileSync(file, JSON.stringify(identity));
}

export function removePidFile(file: string): void {
  rmSync(file, { force: true });
}

/** Stops processes left by a crashed platform and returns their names; a reused pid is left alone. */
export async function stopOrphans(runDir: string): Promise<string[]> {
  const files = readdirSync(runDir).filter((name) => name.endsWith(".pid"));
  const stopped = await Promise.all(files.map((name) => stopOrphan(join(runDir, name))));
  return stopped.filter((name) => name !== null);
}

async function stopOrphan(file: string): Promise<string | null> {
  const identity = readIdentity(file);
  const alive = identity !== null && isRunning(identity);
  if (alive) {
    signalGroup(identity.pid, "SIGTERM");
    const gone = () => !isRunning(identity);
    await poll(gone, { withinMs: GRACE_MS, what: "an orphan to stop" }).catch(async () => {
      signalGroup(identity.pid, "SIGKILL");
      await poll(gone, { withinMs: GRACE_MS, what: `process ${identity.pid} to be gone` });
    });
  }
  removePidFile(file);
  return alive ? basename(file, ".pid") : null;
}

function readIdentity(file: string): ProcessIdentity | null {
  try {
    const value = JSON.parse(readFileSync(file, "utf8")) as ProcessIdentity;
    return Number.isInteger(value.pid) && value.pid > 1 && typeof value.startedAt === "string" ? value : null;
  } catch {
    return null;
  }
}
