/** Starts the reaper and tells it which children exist. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { ProcessIdentity } from "../../lib/process-identity.ts";
import type { ReaperLine } from "./reaper.ts";

export type Guard = {
  watch(identity: ProcessIdentity, server: boolean): void;
  forget(pid: number): void;
  /** Removes the directory when the platform has ended, even by kill -9. */
  removeAtEnd(dir: string): void;
  /** Resolves when all is removed, if that is wanted. */
  release(how: { waits: boolean }): Promise<void>;
};

export function startGuard(): Guard {
  const lines = new Map<string, ReaperLine>();
  let reaper: ChildProcess | null = null;
  let released = false;

  const send = (line: ReaperLine) => void reaper?.stdin?.write(`${JSON.stringify(line)}\n`);
  const start = () => {
    const child = spawn(process.execPath, [fileURLToPath(new URL("./reaper.ts", import.meta.url))], {
      detached: true,
      stdio: ["pipe", "ignore", "ignore"],
      env: {},
    });
    reaper = child;
    child.stdin?.on("error", () => {});
    child.unref();
    (child.stdin as unknown as { unref?(): void })?.unref?.();
    for (const line of lines.values()) send(line);
    child.once("exit", () => {
      if (!released) start();
    });
  };
  start();

  return {
    watch(identity, server) {
      lines.set(`pid:${identity.pid}`, { watch: identity, server });
      send({ watch: identity, server });
    },
    forget(pid) {
      lines.delete(`pid:${pid}`);
      send({ forget: pid });
    },
    removeAtEnd(dir) {
      lines.set(`dir:${dir}`, { removeDir: dir });
      send({ removeDir: dir });
    },
    async release({ waits }) {
      released = true;
      const child = reaper;
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      child.stdin?.end();
      if (!waits) return;
      child.ref();
      await exited;
    },
  };
}
