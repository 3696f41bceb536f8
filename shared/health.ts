/** What a process needs to be ready, asked when somebody wants to know. */
export type Check = () => Promise<void> | void;

export type Readiness = { ready: boolean; checks: Record<string, string> };

export type Health = {
  require(name: string, check: Check): void;
  startDraining(): void;
  isDraining(): boolean;
  readiness(): Promise<Readiness>;
};

/** A probe that waits longer than its caller is of no use to it. */
const CHECK_DEADLINE_MS = 1_500;

export function createHealth(): Health {
  const checks = new Map<string, Check>();
  let draining = false;
  return {
    require: (name, check) => void checks.set(name, check),
    startDraining: () => {
      draining = true;
    },
    isDraining: () => draining,
    async readiness() {
      const results = await Promise.all(
        [...checks].map(async ([name, check]) => [name, await verdict(check)] as const),
      );
      const all = { ...Object.fromEntries(results), ...(draining ? { draining: "draining" } : {}) };
      return { ready: Object.values(all).every((result) => result === "ok"), checks: all };
    },
  };
}

async function verdict(check: Check): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer")), CHECK_DEADLINE_MS);
  });
  try {
    await Promise.race([check(), deadline]);
    return "ok";
  } catch (error) {
    return error instanceof Error && error.message === "no answer" ? "no answer" : "unavailable";
  } finally {
    clearTimeout(timer);
  }
}
