/** Readiness of a process: every required dependency is checked on each request. */
import { withDeadline } from "./deadline.ts";

type Check = () => Promise<void> | void;

export type Readiness = { ready: boolean; checks: Record<string, string> };

export type Health = ReturnType<typeof createHealth>;

/** Shorter than the timeout of the probes that ask. */
const CHECK_DEADLINE_MS = 1_500;

export function createHealth() {
  const checks = new Map<string, Check>();
  const phases = new Set<string>();
  return {
    require: (name: string, check: Check): void => void checks.set(name, check),
    /** Not ready until the returned function is called: not all requirements are registered yet. */
    startStarting: () => {
      phases.add("starting");
      return () => void phases.delete("starting");
    },
    startDraining: () => void phases.add("draining"),
    isDraining: () => phases.has("draining"),
    async readiness(): Promise<Readiness> {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await stateOf(check)] as const),
      );
      const all = Object.fromEntries([...results, ...[...phases].map((phase) => [phase, phase] as const)]);
      return { ready: Object.values(all).every((result) => result === "ok"), checks: all };
    },
  };
}

const NO_ANSWER = new Error("no answer");

async function stateOf(check: Check): Promise<string> {
  const answer = (async () => check())();
  try {
    await withDeadline(answer, CHECK_DEADLINE_MS, () => NO_ANSWER);
    return "ok";
  } catch (error) {
    return error === NO_ANSWER ? "no answer" : "unavailable";
  }
}
