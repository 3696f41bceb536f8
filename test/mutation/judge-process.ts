/** Asks a judge, ends one that does not answer, and begins with another after that. */
import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";

export type Question = {
  tests: readonly string[];
  file: string;
  /** Null: as it is. */
  source: string | null;
  /** The file and all that import it, over others too. */
  affected: readonly string[];
};
export type Verdict = "passed" | "failed";
export type Outcome = Verdict | "timed out";

export type Judge = {
  ask(question: Question, withinMs: number): Promise<Outcome>;
  /** The next question goes to a process that has seen nothing yet. */
  renew(): void;
};

export function createJudge(): Judge {
  let child: ChildProcess | null = null;

  function renew(): void {
    child?.kill("SIGKILL");
    child = null;
  }

  function ask(question: Question, withinMs: number): Promise<Outcome> {
    child ??= fork(join(import.meta.dirname, "judge.ts"), { stdio: "ignore" });
    const asked = child;
    return new Promise((resolve) => {
      const timer = setTimeout(() => end("timed out"), withinMs);
      const answered = (verdict: Verdict) => end(verdict);
      const exited = () => end("failed");
      asked.once("message", answered).once("exit", exited);
      asked.send(question);

      function end(outcome: Outcome): void {
        clearTimeout(timer);
        asked.off("message", answered).off("exit", exited);
        if (outcome === "timed out" || asked.exitCode !== null || asked.signalCode !== null) renew();
        resolve(outcome);
      }
    });
  }

  return { ask, renew };
}
