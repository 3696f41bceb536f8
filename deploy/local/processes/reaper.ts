/**
 * Runs in a session of its own: when the pipe from the platform closes, even by kill -9, it stops the remaining children.
 * Arguments: the directory of the pid files, and a directory to remove at the end.
 */
import { rmSync } from "node:fs";
import { stopOrphans } from "./pid-files.ts";

const [, , runDir = "", temporaryDir] = process.argv;

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
for await (const _ of process.stdin);
await stopOrphans(runDir);
if (temporaryDir) rmSync(temporaryDir, { recursive: true, force: true });
