/** Polls until the answer is truthy or a deadline passes: often at first, then less, because asking costs what is waited for. */
import { setTimeout as sleep } from "node:timers/promises";

export type PollOptions = { withinMs: number; what: string; everyMs?: number; giveUp?: () => string | null };

const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
const GROWTH = 1.25;

export type Truthy<T> = Exclude<T, false | null | undefined | 0 | "">;

/** The wait is over, and what it was for has not come. */
export class WaitExpired extends Error {
  override name = "WaitExpired";
}

export async function poll<T>(ask: () => T | Promise<T>, options: PollOptions): Promise<Truthy<T>> {
  const deadline = performance.now() + options.withinMs;
  let lastError: unknown = null;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * GROWTH, LONGEST_PAUSE_MS)) {
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
      throw new WaitExpired(`${options.what}: not within ${options.withinMs} ms${describe(lastError)}`, {
        cause: lastError,
      });
    await sleep(options.everyMs ?? pauseMs);
  }
}

const describe = (error: unknown): string =>
  error === null ? "" : ` (last error: ${error instanceof Error ? error.message : String(error)})`;
