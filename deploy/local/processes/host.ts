/** State shared by the processes of one platform, and their ordered stop. */
import { createStateDirs, type StatePaths } from "../../lib/paths.ts";
import { rememberedPorts } from "../ports.ts";
import type { Report } from "../report.ts";
import { startGuard } from "./guard.ts";
import type { ManagedProcess, ProcessHost } from "./managed-process.ts";

export function openHost(paths: StatePaths, report: Report): ProcessHost {
  createStateDirs(paths);
  return {
    paths,
    report,
    guard: startGuard(),
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
    await Promise.all(host.processes.filter(isNext).map((process) => process.stop()));
  await host.guard.release();
}

export function killHost(host: ProcessHost): void {
  host.closing = true;
  for (const process of host.processes) process.kill("SIGKILL");
}
