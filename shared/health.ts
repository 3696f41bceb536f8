/** What a process needs to be ready, asked when somebody wants to know. */
import { withDeadline } from "./deadline.ts";

type Check = () => Promise<void> | void;

export type Readiness = { ready: boolean; checks: Record<string, string> };

export type Health = {
  require(name: string, check: Check): void;
  /** Not ready from here until the returned call: what it will need is not even known yet. */
  startStarting(): () => void;
  startDraining(): void;
  isDraining(): boolean;
  readiness(): Promise<Readiness>;
};

/** A probe that waits longer than its caller is of no use to it. */
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
        [...checks].map(async ([name, check]) => [name, await verdict(check)] as const),
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

async function verdict(check: Check): Promise<string> {
  const answer = (async () => check())();
  try {
    await withDeadline(answer, CHECK_DEADLINE_MS, () => NO_ANSWER);
    return "ok";
  } catch (error) {
    return error === NO_ANSWER ? "no answer" : "unavailable";
  }
}
