/** Remembers event ids. An event comes at least once, and with the same id each time: its effect must happen once. */
export type SeenEvents = {
  /** How often this id came before. */
  note(eventId: string): number;
};

/** A real receiver keeps ids in its database, for as long as deliveries can be replayed: 30 days. */
const MOST_REMEMBERED = 10_000;

export function seenEvents(most = MOST_REMEMBERED): SeenEvents {
  const counts = new Map<string, number>();
  return {
    note(eventId) {
      const before = counts.get(eventId) ?? 0;
      counts.delete(eventId);
      counts.set(eventId, before + 1);
      const [oldest] = counts.keys();
      if (counts.size > most && oldest !== undefined) counts.delete(oldest);
      return before;
    },
  };
}
