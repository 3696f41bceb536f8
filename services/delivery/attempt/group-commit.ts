/**
 * Writes what comes together in one go: a single majority write costs the database twenty times one of a batch. The
 * first after a quiet moment goes at once; while one write is under way the next batch gathers.
 */
import { setTimeout } from "node:timers/promises";
import type { Logger } from "../../../shared/telemetry/logger.ts";

export type GroupCommit<T> = {
  /** Resolves when the item is stored. */
  add(item: T): Promise<void>;
  /** Stops trying again; resolves when nothing is under way. */
  stop(): Promise<void>;
};

type Deps<T> = {
  write(items: readonly T[]): Promise<void>;
  /** True when the database is away: what was learnt is kept and written when it is back. */
  isPassing(error: unknown): boolean;
  logger: Logger;
};

const MOST_PER_WRITE = 500;
/** Under load a batch gathers for this long: below what an acknowledgement may be held back. */
const GATHER_MS = 5;
const RETRY_FIRST_MS = 50;
const RETRY_LONGEST_MS = 2_000;

type Waiting<T> = { item: T; resolve(): void; reject(error: unknown): void };

export function createGroupCommit<T>({ write, isPassing, logger }: Deps<T>): GroupCommit<T> {
  const stopping = new AbortController();
  let waiting: Waiting<T>[] = [];
  let running: Promise<void> | null = null;

  async function run(): Promise<void> {
    // One turn of the loop lets everything that is already known come along.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_PER_WRITE);
      waiting = waiting.slice(MOST_PER_WRITE);
      await commit(batch);
      if (waiting.length > 0 && waiting.length < MOST_PER_WRITE) await setTimeout(GATHER_MS);
    }
  }

  async function commit(batch: readonly Waiting<T>[]): Promise<void> {
    try {
      await writeThroughFaults(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve();
    } catch (error) {
      if (batch.length === 1 || isPassing(error)) for (const { reject } of batch) reject(error);
      // One that cannot be written must not take the others with it.
      else for (const each of batch) await commit([each]);
    }
  }

  async function writeThroughFaults(items: readonly T[]): Promise<void> {
    for (let wait = RETRY_FIRST_MS; ; wait = Math.min(wait * 2, RETRY_LONGEST_MS)) {
      try {
        return await write(items);
      } catch (error) {
        if (!isPassing(error) || stopping.signal.aborted) throw error;
        logger.warn({ err: error, items: items.length }, "commit.waiting");
        await setTimeout(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= run().finally(() => {
          running = null;
        });
      });
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
