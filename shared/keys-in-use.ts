/** The Idempotency-Keys of requests in flight in this process: another request with the same key is refused. */
import { keyUnderWay } from "./idempotency.rules.ts";

type Keyed = { partnerId: string; idempotencyKey: string | null; callId: string | null };

export type KeysInUse = <T>(request: Keyed, work: () => Promise<T>) => Promise<T>;

/** Other processes are not asked: there the unique index of the key decides, and the answer is the first one's. */
export function createKeysInUse(): KeysInUse {
  const inUse = new Map<string, string | null>();
  return async ({ partnerId, idempotencyKey, callId }, work) => {
    if (idempotencyKey === null) return work();
    const name = `${partnerId} ${idempotencyKey}`;
    // A call that is repeated because its connection was lost is the same request.
    if (inUse.has(name) && (callId === null || inUse.get(name) !== callId)) throw keyUnderWay();
    inUse.set(name, callId);
    try {
      return await work();
    } finally {
      inUse.delete(name);
    }
  };
}
