/** How much of a core each kind of process has used, from what the kernel counts for it; nothing where there is no /proc. */
import { readFileSync } from "node:fs";

/** Milliseconds of CPU by role, each since its process began. */
export type CpuTimes = ReadonlyMap<string, number>;
export type CpuMeter = () => CpuTimes;

type Metered = { name: string; pid(): number | null };

/** The clock tick of the kernel, on every Linux that Node runs on. */
const TICK_MS = 10;
/** Places of utime and stime after the name, which may hold spaces. */
const [USER, SYSTEM] = [11, 12];

export function cpuTimes(processes: readonly Metered[]): CpuTimes {
  const byRole = Map.groupBy(processes, ({ name }) => roleOf(name));
  return new Map([...byRole].map(([role, all]) => [role, all.reduce((sum, one) => sum + cpuMsOf(one), 0)]));
}

/** Adds up what each role uses while some work runs; a process that was started again counts from its new beginning. */
export function createCpuCount(meter: CpuMeter) {
  const sum = new Map<string, number>();
  return {
    /** Resolves to the result of the work, and what each role used for it. */
    async during<T>(work: () => Promise<T>): Promise<[result: T, used: CpuTimes]> {
      const before = meter();
      const result = await work();
      const used = new Map(
        [...meter()].map(([role, ms]) => [role, Math.max(0, ms - (before.get(role) ?? 0))] as const),
      );
      for (const [role, ms] of used) sum.set(role, (sum.get(role) ?? 0) + ms);
      return [result, used];
    },
    /** Roles that did nothing are left out. */
    perOperation: (operations: number): Record<string, number> =>
      Object.fromEntries([...sum].filter(([, ms]) => ms > 0).map(([role, ms]) => [role, ms / operations])),
  };
}

/** Members of a set, scripts and programs are numbered. */
const roleOf = (name: string): string => name.replace(/-\d+$/, "");

function cpuMsOf({ pid }: Metered): number {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid()}/stat`, "utf8").split(/\) (?=\S )/);
    const numbers = fields.split(" ").map(Number);
    return ((numbers[USER] ?? 0) + (numbers[SYSTEM] ?? 0)) * TICK_MS;
  } catch {
    return 0;
  }
}
