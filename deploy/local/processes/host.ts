/** State shared by the processes of one platform, and their ordered stop. */
import { createStateDirs, type StatePaths } from "../../lib/paths.ts";
import { rememberedPorts } from "../ports.ts";
import type { Report } from "../report.ts";
import { startGuard } from "./guard.ts";
import type { ManagedProcess, ProcessHost } from "./managed-process.ts";

/** A temporary one removes its files at the end. */
export function openHost(paths: StatePaths, report: Report, { temporary = false } = {}): ProcessHost {
  createStateDirs(paths);
  const guard = startGuard();
  if (temporary) guard.removeAtEnd(paths.root);
  return {
    paths,
    report,
    temporary,
    guard,
    ports: rememberedPorts(paths.portsFile),
    processes: [],
    closing: false,
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
        // An orderly stop writes what nobody will read.
        .map((process) => process.stop({ atOnce: host.temporary && process.server })),
    );
  // Thousands of files may take the disk half a minute.
  await host.guard.release({ waits: !host.temporary });
}

export function killHost(host: ProcessHost): void {
  host.closing = true;
  for (const process of host.processes) process.kill("SIGKILL");
}
