/** Readiness of a process: every required dependency is checked on each request. */
import { withDeadline } from "./deadline.ts";

type Check = () => Promise<void> | void;

export type Readiness = { ready: boolean; checks: Record<string, string> };

export type Health = {
  require(name: string, check: Check): void;
  /** Not ready until the returned function is called: not all requirements are registered yet. */
  startStarting(): () => void;
  startDraining(): void;
  isDraining(): boolean;
  readiness(): Promise<Readiness>;
};

/** Shorter than the timeout of the probes that ask. */
const CHECK_DEADLINE_MS = 1_500;

export function createHealth(): Health {
  const checks = new Map<string, Check>();
  let starting = false;
  let draining = false;
  return {
    require: (name, check) => void checks.set(name, check),
    startStarting: () => {
      starting = true;
      return () => {
        starting = false;
      };
    },
    startDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    async readiness() {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await stateOf(check)] as const),
      );
      const phase = {
        ...(starting ? { starting: "starting" } : {}),
        ...(draining ? { draining: "draining" } : {}),
      };
      const all = { ...Object.fromEntries(results), ...phase };
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
