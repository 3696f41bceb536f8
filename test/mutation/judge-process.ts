/** Asks a process about one mistake. Each answer has a process of its own: nothing is left over from another mistake. */
import { fork } from "node:child_process";
import { join } from "node:path";

export type Question = {
  tests: readonly string[];
  file: string;
  /** Null: as it is. */
  source: string | null;
};
export type Verdict = "passed" | "failed";
export type Outcome = Verdict | "timed out" | "died";

/** A process that died without an answer may have been ended by the machine, so another one is asked. */
export async function ask(question: Question, withinMs: number): Promise<Outcome> {
  const outcome = await askOnce(question, withinMs);
  return outcome === "died" ? askOnce(question, withinMs) : outcome;
}

function askOnce(question: Question, withinMs: number): Promise<Outcome> {
  const judge = fork(join(import.meta.dirname, "judge.ts"), { stdio: "ignore" });
  return new Promise((resolve) => {
    const timer = setTimeout(() => end("timed out"), withinMs);
    judge.once("message", (verdict: Verdict) => end(verdict)).once("exit", () => end("died"));
    judge.send(question);

    function end(outcome: Outcome): void {
      clearTimeout(timer);
      judge.removeAllListeners().kill("SIGKILL");
      resolve(outcome);
    }
  });
}
