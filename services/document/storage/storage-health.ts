/** Whether storage answers. A link is signed without the network, so a dead storage would show only at the upload. */

/** A storage that dies closes its connections; this is for a storage that is silent. */
const FRESH_MS = 100;

export function createStorageHealth(ping: () => Promise<unknown>, freshMs = FRESH_MS) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let answer: Promise<unknown> = Promise.resolve();
  let asking = false;
  return {
    /** Rejects when storage is away; concurrent callers share one ping. */
    answers(): Promise<unknown> {
      if (asking || performance.now() - askedAt < freshMs) return answer;
      asking = true;
      answer = ping().finally(() => {
        asking = false;
        askedAt = performance.now();
      });
      return answer;
    },
    /** The next caller pings, however fresh the last answer is. */
    forget() {
      askedAt = Number.NEGATIVE_INFINITY;
    },
  };
}
