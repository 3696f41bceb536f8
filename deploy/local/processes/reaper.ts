/**
 * Runs beside the platform in its own session: when the pipe from the platform closes, even by kill -9, it ends every
 * remaining child.
 * Reads lines of JSON: {"watch": identity, "server": boolean} | {"forget": pid} | {"removeDir": path}.
 */
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning, type ProcessIdentity, signalGroup } from "../../lib/process-identity.ts";

export type ReaperLine =
  | { watch: ProcessIdentity; server: boolean }
  | { forget: number }
  | { removeDir: string };

const GRACE_MS = 3_000;

type Watched = { identity: ProcessIdentity; server: boolean };
const watched = new Map<number, Watched>();
const dirs: string[] = [];

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});

for await (const text of createInterface({ input: process.stdin })) {
  const line = JSON.parse(text) as ReaperLine;
  if ("watch" in line) watched.set(line.watch.pid, { identity: line.watch, server: line.server });
  else if ("forget" in line) watched.delete(line.forget);
  else dirs.push(line.removeDir);
}

// Services before servers, as in a regular stop, so that last writes still succeed.
await endAll([...watched.values()].filter((w) => !w.server));
await endAll([...watched.values()].filter((w) => w.server));
for (const dir of dirs) rmSync(dir, { recursive: true, force: true });

async function endAll(targets: Watched[]): Promise<void> {
  const left = () => targets.filter((target) => isRunning(target.identity));
  for (const target of left()) signalGroup(target.identity.pid, "SIGTERM");
  const deadline = performance.now() + GRACE_MS;
  while (left().length > 0 && performance.now() < deadline) await sleep(50);
  for (const target of left()) signalGroup(target.identity.pid, "SIGKILL");
}
