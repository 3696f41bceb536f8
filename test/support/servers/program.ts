/** A program of the repository as a process of its own. */
import { spawn } from "node:child_process";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";

export type Program = ReturnType<typeof startProgram>;

export function startProgram(args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, args, {
    cwd: projectDir,
    env: childEnv(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream].on("data", (chunk) => {
      said[stream] += chunk;
    });
  /** The code is the signal when one ended the program. */
  const ended = new Promise<typeof said & { code: number | NodeJS.Signals | null }>((resolve) =>
    child.once("close", (code, signal) => resolve({ ...said, code: code ?? signal })),
  );
  return {
    pid: child.pid ?? 0,
    said,
    output: () => said.stdout + said.stderr,
    hasEnded: () => child.exitCode !== null,
    ended,
    kill(signal: NodeJS.Signals) {
      child.kill(signal);
      return ended;
    },
  };
}
