/** Remembers event ids. An event comes at least once, and with the same id each time: its effect must happen once. */
import { BoundedMap } from "../../shared/bounded-map.ts";

export type SeenEvents = {
  /** How often this id came before. */
  note(eventId: string): number;
};

/** A real receiver keeps ids in its database, for as long as deliveries can be replayed: 30 days. */
const MAX_REMEMBERED = 10_000;

export function seenEvents(maxRemembered = MAX_REMEMBERED): SeenEvents {
  const counts = new BoundedMap<string, number>(maxRemembered);
  return {
    note(eventId) {
      const before = counts.get(eventId) ?? 0;
      counts.set(eventId, before + 1);
      return before;
    },
  };
}
