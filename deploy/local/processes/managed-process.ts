/** A supervised child process: restarted until it is stopped on purpose. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../../shared/backoff.rules.ts";
import { projectDir, type StatePaths } from "../../lib/paths.ts";
import { identify, signalGroup } from "../../lib/process-identity.ts";
import { poll } from "../poll.ts";
import type { Ports } from "../ports.ts";
import type { Report } from "../report.ts";
import type { Guard } from "./guard.ts";
import { removePidFile, writePidFile } from "./pid-files.ts";

export type ProcessSpec = {
  name: string;
  /** Servers stop after the services that use them. */
  server: boolean;
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  isReady(): Promise<boolean>;
  readyWithinMs: number;
  stopWithinMs: number;
  /** For one that its own files can keep from starting: done once when it is not ready after so long, or ends each time. */
  mend?: {
    afterMs: number;
    /** Says what it did; called while the process does not run. */
    files(): string;
  };
};

export type ManagedProcess = {
  readonly name: string;
  readonly server: boolean;
  pid(): number | null;
  /** Starts it and resolves when it is ready. */
  start(): Promise<void>;
  /** Stops it for good: SIGTERM, and SIGKILL after its deadline or at once. */
  stop(how?: { atOnce: boolean }): Promise<void>;
  /** Sends a signal; supervision restarts the process. */
  kill(signal: NodeJS.Signals): void;
};

export type ProcessHost = {
  paths: StatePaths;
  report: Report;
  temporary: boolean;
  guard: Guard;
  ports: Ports;
  /** Every process managed here, in the order of their start. */
  processes: ManagedProcess[];
  /** True once a stop has begun: nothing may be started. */
  closing: boolean;
};

export class ProcessFailedError extends Error {}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** After running this long the back-off is reset. */
const HEALTHY_AFTER_MS = 30_000;
/** Bounds the restarts of a process that cannot start at all. */
const MAX_FAILURES_AT_START = 3;
const MAX_LOG_BYTES = 20 * 1024 * 1024;

export function manageProcess(spec: ProcessSpec, host: ProcessHost): ManagedProcess {
  let child: ChildProcess | null = null;
  let wanted = false;
  let failures = 0;
  let starting = false;
  /** Consecutive launches that never were ready. */
  let launchesInVain = 0;
  let mending: "not needed" | "asked for" | "tried" = "not needed";
  /** Increases with each start and stop, so that an old back-off does not start a second child. */
  let turn = 0;

  const launch = () => {
    if (mending === "asked for") {
      mending = "tried";
      host.report.warn(`${spec.name} does not start; ${spec.mend?.files()}`);
    }
    launchesInVain += 1;
    const launched = spawnLogged(spec, host.paths.logFile(spec.name));
    const startedAt = performance.now();
    child = launched;
    note(launched.pid);
    launched.once("error", (error) => host.report.warn(`${spec.name} cannot be started: ${error.message}`));
    launched.once("exit", (code, signal) => {
      forget(launched.pid);
      if (child === launched) child = null;
      if (!wanted) return;
      if (performance.now() - startedAt > HEALTHY_AFTER_MS) failures = 0;
      void startAgain(signal ? `was ended by ${signal}` : `exited with code ${code}`);
    });
  };

  const startAgain = async (reason: string): Promise<void> => {
    const mine = turn;
    const delayMs = backoffMs(FIRST_DELAY_MS, MAX_DELAY_MS, failures);
    failures += 1;
    if (launchesInVain >= MAX_FAILURES_AT_START && mendable()) {
      mending = "asked for";
      failures = 0;
    }
    if (starting && failures >= MAX_FAILURES_AT_START) return;
    host.report.warn(
      `${spec.name} ${reason}; starting it again in ${delayMs} ms (log: ${host.paths.logFile(spec.name)})`,
    );
    await sleep(delayMs);
    if (mine !== turn || !wanted || child) return;
    try {
      launch();
    } catch (error) {
      return startAgain(`cannot be started (${(error as Error).message})`);
    }
    const launched = child;
    const since = performance.now();
    await poll(spec.isReady, {
      ...untilMended(),
      giveUp: () => (child === launched ? null : "it ended"),
    }).then(
      () => {
        nothingToMend();
        host.report.say(`${spec.name} is back after ${Math.round(performance.now() - since)} ms`);
      },
      () => child === launched && mendHanging(),
    );
  };

  const nothingToMend = () => {
    launchesInVain = 0;
    mending = "not needed";
  };

  const mendable = () => (mending === "not needed" ? spec.mend : undefined);

  /** Ends it; the supervision starts it again. */
  const mendHanging = () => {
    if (!mendable() || child?.pid === undefined) return;
    mending = "asked for";
    signalGroup(child.pid, "SIGKILL");
  };

  const waiting = { withinMs: spec.readyWithinMs, everyMs: 100, what: spec.name };
  const untilMended = () => ({ ...waiting, withinMs: mendable()?.afterMs ?? spec.readyWithinMs });

  const note = (pid: number | undefined) => {
    const identity = pid === undefined ? null : identify(pid);
    if (!identity) return;
    host.guard.watch(identity, spec.server);
    try {
      writePidFile(host.paths.pidFile(spec.name), identity);
    } catch (error) {
      // The guard knows it; the file is for the case that both are killed.
      host.report.warn(`${spec.name} cannot be noted on disk (${(error as Error).message})`);
    }
  };

  const forget = (pid: number | undefined) => {
    if (pid === undefined) return;
    // Kills what the child itself had started.
    signalGroup(pid, "SIGKILL");
    host.guard.forget(pid);
    removePidFile(host.paths.pidFile(spec.name));
  };

  const managed: ManagedProcess = {
    name: spec.name,
    server: spec.server,
    pid: () => child?.pid ?? null,
    async start() {
      if (host.closing) throw new ProcessFailedError("The platform is stopping.");
      turn += 1;
      wanted = true;
      failures = 0;
      nothingToMend();
      starting = true;
      if (!child) launch();
      const giveUp = () =>
        failures >= MAX_FAILURES_AT_START ? "it ended again and again" : wanted ? null : "it was stopped";
      await poll(spec.isReady, { ...untilMended(), giveUp })
        .catch((error) => {
          if (!mendable() || !wanted) throw error;
          mendHanging();
          return poll(spec.isReady, { ...waiting, giveUp });
        })
        .then(nothingToMend)
        .catch((error: Error) => {
          throw new ProcessFailedError(`${error.message}\n${lastLines(host.paths.logFile(spec.name))}`);
        })
        .finally(() => {
          starting = false;
        });
    },
    async stop({ atOnce } = { atOnce: false }) {
      turn += 1;
      wanted = false;
      if (child) await end(child, atOnce ? 0 : spec.stopWithinMs);
    },
    kill(signal) {
      if (child?.pid !== undefined) signalGroup(child.pid, signal);
    },
  };
  host.processes.push(managed);
  return managed;
}

function spawnLogged(spec: ProcessSpec, logFile: string): ChildProcess {
  rotate(logFile);
  // Directly into the file: a service must not wait for the platform to copy its log.
  const log = openSync(logFile, "a");
  try {
    return spawn(spec.command, spec.args, {
      cwd: projectDir,
      env: spec.env,
      stdio: ["ignore", log, log],
      // Ctrl-C must reach the platform only, which stops processes in order.
      detached: true,
    });
  } finally {
    closeSync(log);
  }
}

async function end(child: ChildProcess, withinMs: number): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  signalGroup(child.pid, withinMs > 0 ? "SIGTERM" : "SIGKILL");
  const timer = setTimeout(() => signalGroup(child.pid as number, "SIGKILL"), withinMs);
  await exited;
  clearTimeout(timer);
}

function rotate(file: string): void {
  try {
    if (statSync(file).size > MAX_LOG_BYTES) renameSync(file, `${file}.1`);
  } catch {
    // No log yet.
  }
}

const SHOWN_LINES = 12;
const SHOWN_COLUMNS = 300;

function lastLines(file: string): string {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n").slice(-SHOWN_LINES);
  return [`Its log, ${file}, ends with:`, ...lines.map((line) => `  ${line.slice(0, SHOWN_COLUMNS)}`)].join(
    "\n",
  );
}
