/** A supervised child process: restarted until it is stopped on purpose. */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../../shared/backoff.rules.ts";
import { projectDir, type StatePaths } from "../../lib/paths.ts";
import { identify, signalGroup } from "../../lib/process-identity.ts";
import { poll, WaitExpired } from "../poll.ts";
import type { Ports } from "../ports.ts";
import type { Report } from "../report.ts";
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
  /** For damaged files that prevent its start: done once when it is not ready in time, or ends each time. */
  repair?: {
    afterMs: number;
    /** Called while the process does not run; returns a description of the repair. */
    files(): string;
  };
};

export type ManagedProcess = {
  readonly name: string;
  readonly server: boolean;
  pid(): number | null;
  /** Starts it and resolves when it is ready. */
  start(): Promise<void>;
  /** Stops it permanently: SIGTERM, and SIGKILL after its deadline or immediately. */
  stop(how?: { atOnce: boolean }): Promise<void>;
  /** Sends a signal; supervision restarts the process. */
  kill(signal: NodeJS.Signals): void;
};

export type ProcessHost = {
  paths: StatePaths;
  report: Report;
  temporary: boolean;
  releaseReaper(): Promise<void>;
  ports: Ports;
  /** Every process managed here, in the order of their start. */
  processes: ManagedProcess[];
  /** True once a stop has started: no process may be started. */
  closing: boolean;
};

export class ProcessFailedError extends Error {}

const FIRST_DELAY_MS = 200;
const MAX_DELAY_MS = 10_000;
/** A process that ran this long resets its back-off. */
const HEALTHY_AFTER_MS = 30_000;
/** Bounds the restarts of a process that cannot start at all. */
const MAX_FAILURES_AT_START = 3;
const MAX_LOG_BYTES = 20 * 1024 * 1024;

export function manageProcess(spec: ProcessSpec, host: ProcessHost): ManagedProcess {
  let child: ChildProcess | null = null;
  /** Increases with each start and stop, which ends the supervision of the turn before. */
  let turn = 0;
  const logFile = host.paths.logFile(spec.name);
  const pidFile = host.paths.pidFile(spec.name);

  /** Resolves with the reason when the process has ended. */
  const launch = (repair: ProcessSpec["repair"]): Promise<string> =>
    new Promise((resolve) => {
      try {
        if (repair) host.report.warn(`${spec.name} does not start; ${repair.files()}`);
        const launched = spawnLogged(spec, logFile);
        child = launched;
        const ended = (reason: string) => {
          // Kills what the child itself had started.
          if (launched.pid !== undefined) signalGroup(launched.pid, "SIGKILL");
          removePidFile(pidFile);
          if (child === launched) child = null;
          resolve(reason);
        };
        launched.once("error", ({ message }) => ended(`cannot be started (${message})`));
        launched.once("exit", (code, signal) =>
          ended(signal ? `was ended by ${signal}` : `exited with code ${code}`),
        );
        note(launched.pid);
      } catch (error) {
        resolve(`cannot be started (${(error as Error).message})`);
      }
    });

  const note = (pid: number | undefined) => {
    const identity = pid === undefined ? null : identify(pid);
    try {
      if (identity) writePidFile(pidFile, { ...identity, server: spec.server });
    } catch (error) {
      host.report.warn(`${spec.name} cannot be noted on disk (${(error as Error).message})`);
    }
  };

  /** Launches the process until it is stopped. `started` settles when it is ready, or was launched in vain too often. */
  const supervise = async (mine: number, started: PromiseWithResolvers<void>): Promise<void> => {
    let isStarting = true;
    let failures = 0;
    let launchesInVain = 0;
    let repair: "not needed" | "due" | "done" = "not needed";
    for (;;) {
      const since = performance.now();
      let reason: string | null = null;
      const ended = launch(repair === "due" ? spec.repair : undefined).then((why) => {
        reason = why;
      });
      if (repair === "due") repair = "done";
      const repairable = repair === "done" ? undefined : spec.repair;
      launchesInVain += 1;
      await poll(spec.isReady, {
        ...readiness,
        withinMs: repairable?.afterMs ?? spec.readyWithinMs,
        giveUp: () => (mine !== turn ? "it was stopped" : reason && "it ended"),
      }).then(
        () => {
          launchesInVain = 0;
          repair = "not needed";
          if (!isStarting)
            host.report.say(`${spec.name} is back after ${Math.round(performance.now() - since)} ms`);
          isStarting = false;
          started.resolve();
        },
        (error) => {
          if (!(error instanceof WaitExpired)) return;
          if (!repairable) return started.reject(error);
          launchesInVain = MAX_FAILURES_AT_START;
          if (child?.pid !== undefined) signalGroup(child.pid, "SIGKILL");
        },
      );
      await ended;
      if (mine !== turn) return started.reject(new Error(`${spec.name}: it was stopped`));
      if (performance.now() - since > HEALTHY_AFTER_MS) failures = 0;
      if (repairable && launchesInVain >= MAX_FAILURES_AT_START) {
        repair = "due";
        failures = 0;
      }
      const delayMs = backoffMs(FIRST_DELAY_MS, MAX_DELAY_MS, failures);
      failures += 1;
      if (isStarting && failures >= MAX_FAILURES_AT_START)
        return started.reject(new Error(`${spec.name}: it ended again and again`));
      host.report.warn(`${spec.name} ${reason}; starting it again in ${delayMs} ms (log: ${logFile})`);
      await sleep(delayMs);
      if (mine !== turn) return started.reject(new Error(`${spec.name}: it was stopped`));
    }
  };

  const readiness = { withinMs: spec.readyWithinMs, everyMs: 100, what: spec.name };

  const managed: ManagedProcess = {
    name: spec.name,
    server: spec.server,
    pid: () => child?.pid ?? null,
    async start() {
      if (host.closing) throw new ProcessFailedError("The platform is stopping.");
      // Its supervision is at work.
      if (child) return void (await poll(spec.isReady, readiness));
      turn += 1;
      const started = Promise.withResolvers<void>();
      void supervise(turn, started);
      await started.promise.catch((error: Error) => {
        throw new ProcessFailedError(`${error.message}\n${lastLines(logFile)}`);
      });
    },
    async stop({ atOnce } = { atOnce: false }) {
      turn += 1;
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
