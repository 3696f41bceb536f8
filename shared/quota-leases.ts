/**
 * Rate limits per minute shared by several processes. A process leases part of the remaining budget; leases together
 * never exceed the limit. While the lender is away, each process counts on its own.
 */
import { BoundedMap } from "./bounded-map.ts";
import type { Clock } from "./clock.ts";

export const QUOTA_WINDOW_MS = 60_000;
/** Bounds memory against an attacker with many addresses. */
const MAX_KEYS = 50_000;
/** Keeps a stop short: what is not returned is lost only until the minute ends. */
const MAX_RETURNED = 500;

export type QuotaRequest = { key: string; window: number; limit: number; want: number };
export type QuotaGrant = { granted: number; used: number };
export type QuotaVerdict = { allowed: boolean; limit: number; remaining: number; resetSeconds: number };

export type QuotaLeases = ReturnType<typeof createQuotaLeases>;

/** `used` by all processes as far as known, leases included. */
const newEntry = (limit: number) => ({
  ...{ limit, left: 0, used: 0, spent: 0, waiting: 0 },
  leasing: null as Promise<void> | null,
});
type Entry = ReturnType<typeof newEntry>;

type Deps = { clock: Clock; lease: (request: QuotaRequest) => Promise<QuotaGrant> };

export function createQuotaLeases({ clock, lease }: Deps) {
  const entries = new BoundedMap<string, Entry>(MAX_KEYS);
  let window = 0;

  const entryOf = (key: string, limit: number): Entry => {
    const found = entries.get(key);
    if (found) return found;
    const made = newEntry(limit);
    entries.set(key, made);
    return made;
  };

  const refill = async (key: string, entry: Entry): Promise<void> => {
    try {
      const grant = await lease({ key, window, limit: entry.limit, want: entry.waiting });
      entry.left += grant.granted;
      entry.used = grant.granted > 0 ? grant.used : entry.limit;
    } catch {
      entry.left = Math.max(0, entry.limit - entry.spent);
      entry.used = entry.limit;
    } finally {
      entry.leasing = null;
    }
  };

  const openWindow = (): void => {
    const now = Math.floor(clock.now() / QUOTA_WINDOW_MS);
    if (now === window) return;
    entries.clear();
    window = now;
  };

  const resetSeconds = (): number =>
    Math.max(1, Math.ceil(((window + 1) * QUOTA_WINDOW_MS - clock.now()) / 1_000));

  return {
    /** The verdict when it is known, without asking, that nothing is left; takes nothing. */
    ifSpent(key: string, limit: number): QuotaVerdict | null {
      openWindow();
      const entry = entries.get(key);
      const isSpent = entry !== undefined && entry.left === 0 && entry.used >= limit;
      return isSpent ? { allowed: false, limit, remaining: 0, resetSeconds: resetSeconds() } : null;
    },
    async take(key: string, limit: number): Promise<QuotaVerdict> {
      openWindow();
      let entry = entryOf(key, limit);
      while (entry.left === 0 && entry.used < limit) {
        const began = window;
        entry.waiting += 1;
        entry.leasing ??= refill(key, entry);
        await entry.leasing;
        entry.waiting -= 1;
        openWindow();
        // The entry of a minute that is over belongs to no budget any more.
        if (window !== began) entry = entryOf(key, limit);
      }
      const allowed = entry.left > 0;
      if (allowed) {
        entry.left -= 1;
        entry.spent += 1;
      }
      return {
        allowed,
        limit,
        remaining: entry.left + Math.max(0, limit - entry.used),
        resetSeconds: resetSeconds(),
      };
    },
    /** Returns leased requests that were not spent. */
    async close(): Promise<void> {
      const unspent = [...entries].filter(([, entry]) => entry.left > 0).slice(0, MAX_RETURNED);
      entries.clear();
      await Promise.allSettled(
        unspent.map(([key, entry]) => lease({ key, window, limit: entry.limit, want: -entry.left })),
      );
    },
  };
}
