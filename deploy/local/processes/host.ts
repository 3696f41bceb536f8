/** State shared by the processes of one platform, and their ordered stop. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createStateDirs, type StatePaths } from "../../lib/paths.ts";
import { rememberedPorts } from "../ports.ts";
import type { Report } from "../report.ts";
import type { ManagedProcess, ProcessHost } from "./managed-process.ts";

const REAPER = fileURLToPath(new URL("./reaper.ts", import.meta.url));

/** A temporary one removes its files at the end. */
export function openHost(paths: StatePaths, report: Report, { temporary = false } = {}): ProcessHost {
  createStateDirs(paths);
  return {
    paths,
    report,
    temporary,
    releaseReaper: startReaper(paths.runDir, temporary ? [paths.root] : []),
    ports: rememberedPorts(paths.portsFile),
    processes: [],
    closing: false,
  };
}

/** Keeps a reaper running; returns the way to end it. */
function startReaper(runDir: string, removed: readonly string[]): ProcessHost["releaseReaper"] {
  let reaper: ChildProcess;
  let isReleased = false;
  const start = () => {
    reaper = spawn(process.execPath, [REAPER, runDir, ...removed], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: {},
    });
    reaper.stdin?.on("error", () => {});
    reaper.unref();
    (reaper.stdin as unknown as { unref?(): void })?.unref?.();
    reaper.once("exit", () => {
      if (!isReleased) start();
    });
  };
  start();
  return async () => {
    isReleased = true;
    if (reaper.exitCode !== null || reaper.signalCode !== null) return;
    const exited = once(reaper, "exit");
    reaper.stdin?.end();
    // Removing thousands of files may take the disk half a minute.
    if (removed.length > 0) return;
    reaper.ref();
    await exited;
  };
}

/** Intake first, then the services, which finish their work, then the servers they need for that. */
const STOP_ORDER: readonly ((process: ManagedProcess) => boolean)[] = [
  ({ name }) => name === "gateway",
  ({ server }) => !server,
  ({ name }) => name === "s3",
  () => true,
];

export async function closeHost(host: ProcessHost): Promise<void> {
  host.closing = true;
  for (const isNext of STOP_ORDER)
    await Promise.all(
      host.processes
        .filter(isNext)
        // An orderly stop would write files that are removed.
        .map((process) => process.stop({ atOnce: host.temporary && process.server })),
    );
  await host.releaseReaper();
}

export function killHost(host: ProcessHost): void {
  host.closing = true;
  for (const process of host.processes) process.kill("SIGKILL");
}
