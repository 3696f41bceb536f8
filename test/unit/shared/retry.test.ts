import { describe, expect, test } from "@jest/globals";
import { type RetryOptions, retry } from "../../../shared/retry.ts";

/** Fails so often, then answers how often it was tried. */
function failing(times: number, error: Error = new Error("away")) {
  let tries = 0;
  return async () => {
    tries += 1;
    if (tries <= times) throw error;
    return tries;
  };
}

describe("retry", () => {
  test("tries again until it succeeds, and tells each fault", async () => {
    const faults: unknown[] = [];
    const options = { firstWaitMs: 1, onFault: (error: unknown) => faults.push(error) };
    expect(await retry(failing(3), options)).toBe(4);
    expect(faults).toHaveLength(3);
  });

  test.each<[string, Partial<RetryOptions>]>([
    ["an error that will not pass", { isPassing: () => false }],
    ["no tries left", { maxTries: 1 }],
    ["no time left for another wait", { withinMs: 0.5 }],
    ["stopped before", { signal: AbortSignal.abort() }],
  ])("%s: the error is thrown at once", async (_, options) => {
    const work = failing(1);
    await expect(retry(work, { firstWaitMs: 1, ...options })).rejects.toThrow("away");
    expect(await work()).toBe(2);
  });

  test("a stop ends the wait and nothing is tried after it", async () => {
    const stopping = new AbortController();
    const work = failing(1);
    const result = retry(work, {
      firstWaitMs: 60_000,
      signal: stopping.signal,
      onFault: () => setImmediate(() => stopping.abort()),
    });
    await expect(result).rejects.toThrow("away");
    expect(await work()).toBe(2);
  });

  test("waits double up to their bound", async () => {
    const waits: number[] = [];
    const waited = (tries: number) => {
      const started: number[] = [];
      return async () => {
        started.push(performance.now());
        if (started.length > 1) waits.push((started.at(-1) as number) - (started.at(-2) as number));
        if (started.length < tries) throw new Error("away");
      };
    };
    await retry(waited(5), { firstWaitMs: 10, maxWaitMs: 40 });
    // Timers never fire early, beyond the millisecond they are rounded to.
    for (const [index, least] of [10, 20, 40, 40].entries())
      expect(waits[index]).toBeGreaterThanOrEqual(least - 1);
  });

  test("the work is told how much time is left", async () => {
    const left: number[] = [];
    await retry(
      async (leftMs) => {
        left.push(leftMs);
        if (left.length < 2) throw new Error("away");
      },
      { firstWaitMs: 5, withinMs: 10_000 },
    );
    expect(left[0]).toBeLessThanOrEqual(10_000);
    expect(left[1]).toBeLessThan(left[0] as number);
  });
});
