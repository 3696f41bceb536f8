/** Says whether storage answers, at the cost of one question per moment however many ask. */
import type { Storage } from "./storage.ts";

/** Short enough that no link is given out for a storage that went away a while ago. */
const FRESH_MS = 100;

/** A link is signed without the network: without this a dead storage would show only at the upload. */
export function createStorageHealth(storage: Pick<Storage, "ping">, freshMs = FRESH_MS): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<void> = Promise.resolve();
  let asking = false;
  return () => {
    if (asking || performance.now() - askedAt < freshMs) return answer;
    asking = true;
    answer = storage.ping().finally(() => {
      asking = false;
      askedAt = performance.now();
    });
    return answer;
  };
}
