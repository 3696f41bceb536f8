/** `npm start` as a person would have it: one process that starts all others. */
import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { childEnv } from "../../../deploy/lib/child-env.ts";
import { projectDir } from "../../../deploy/lib/paths.ts";
import { isRunning, type ProcessIdentity } from "../../../deploy/lib/process-identity.ts";
import { waitFor } from "../wait-for.ts";

export type MainProcess = {
  child: ChildProcess;
  output(): string;
  /** Resolves with the exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals>;
  untilUp(): Promise<void>;
};

const UP_WITHIN_MS = 240_000;

export function startMain(stateDir: string, env: Record<string, string> = {}): MainProcess {
  const child = spawn(process.execPath, ["deploy/local/main.ts", "--state", stateDir], {
    cwd: projectDir,
    env: childEnv({ PBO_PORT: "0", ...env }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      text += chunk;
    });
  const exited = new Promise<number | NodeJS.Signals>((resolve) =>
    child.once("close", (code, signal) => resolve(code ?? signal ?? -1)),
  );
  return {
    child,
    output: () => text,
    exited,
    async untilUp() {
      const isUp = () => text.includes("is running.") || child.exitCode !== null;
      await waitFor(isUp, { timeoutMs: UP_WITHIN_MS, what: "npm start to be up" });
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}:\n${text}`);
    },
  };
}

/** The processes that the platform in this directory has started, by the notes it keeps of them. */
export function childrenOf(stateDir: string): Map<string, ProcessIdentity> {
  const dir = join(stateDir, "run");
  const files = readdirSync(dir).filter((name) => name.endsWith(".pid"));
  return new Map(
    files.map((name) => [name.replace(".pid", ""), JSON.parse(readFileSync(join(dir, name), "utf8"))]),
  );
}

export const runningOf = (children: Map<string, ProcessIdentity>): string[] =>
  [...children].filter(([, identity]) => isRunning(identity)).map(([name]) => name);
