/**
 * Attempts that came to their end here lately. A copy of their message may have read the record just before the end
 * was stored, and would take them for still to be made.
 */
export type EndedAttempts = {
  remember(deliveryId: string, attemptNo: number): void;
  has(deliveryId: string, attemptNo: number): boolean;
};

const MOST_REMEMBERED = 5_000;

export function createEndedAttempts(): EndedAttempts {
  const ended = new Map<string, number>();
  return {
    remember(deliveryId, attemptNo) {
      ended.delete(deliveryId);
      ended.set(deliveryId, attemptNo);
      const [oldest] = ended.keys();
      if (ended.size > MOST_REMEMBERED && oldest !== undefined) ended.delete(oldest);
    },
    has: (deliveryId, attemptNo) => (ended.get(deliveryId) ?? 0) >= attemptNo,
  };
}
