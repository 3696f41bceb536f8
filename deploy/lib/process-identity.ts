/** Identifies a process by pid and start time, because pids are reused. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

export type ProcessIdentity = { pid: number; startedAt: string };

const FIELD_STATE = 0;
const FIELD_PARENT = 1;
const FIELD_START_TIME = 19;

export function identify(pid: number): ProcessIdentity | null {
  const startedAt = process.platform === "linux" ? linuxStartTime(pid) : startTimeByPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Every child leads its own process group, so that its own children get the signal too. */
export function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Null where it is unknown. */
export function parentOf(pid: number): number | null {
  const parent = statFields(pid)?.[FIELD_PARENT];
  return parent === undefined ? null : Number(parent);
}

function linuxStartTime(pid: number): string | null {
  const fields = statFields(pid);
  return !fields || fields[FIELD_STATE] === "Z" ? null : `${bootId()}:${fields[FIELD_START_TIME]}`;
}

function statFields(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The command, in parentheses, may itself contain spaces and parentheses.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

function bootId(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return "";
  }
}

function startTimeByPs(pid: number): string | null {
  const text = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" }).stdout?.trim();
  return text || null;
}
