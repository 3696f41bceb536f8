/** Polls until the answer is truthy or a deadline passes. */
import { setTimeout as sleep } from "node:timers/promises";

export type PollOptions = { withinMs: number; what: string; everyMs?: number; giveUp?: () => string | null };

export type Truthy<T> = Exclude<T, false | null | undefined | 0 | "">;

export async function poll<T>(ask: () => T | Promise<T>, options: PollOptions): Promise<Truthy<T>> {
  const deadline = performance.now() + options.withinMs;
  let lastError: unknown = null;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer as Truthy<T>;
      lastError = null;
    } catch (error) {
      lastError = error;
    }
    const reason = options.giveUp?.();
    if (reason) throw new Error(`${options.what}: ${reason}`, { cause: lastError });
    if (performance.now() > deadline)
      throw new Error(`${options.what}: not within ${options.withinMs} ms${describe(lastError)}`, {
        cause: lastError,
      });
    await sleep(options.everyMs ?? 50);
  }
}

const describe = (error: unknown): string =>
  error === null ? "" : ` (last error: ${error instanceof Error ? error.message : String(error)})`;
