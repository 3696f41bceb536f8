/** Says whether storage answers; callers of the same moment share one ping. */
import type { Storage } from "./storage.ts";

/** A storage that dies closes its connections; this is for one that falls silent. */
const FRESH_MS = 100;

/** A link is signed without the network: without this a dead storage would show only at the upload. */
export function createStorageHealth(
  storage: Pick<Storage, "ping" | "onDisconnect">,
  freshMs = FRESH_MS,
): () => Promise<void> {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<void> = Promise.resolve();
  let asking = false;
  storage.onDisconnect(() => {
    askedAt = Number.NEGATIVE_INFINITY;
  });
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
