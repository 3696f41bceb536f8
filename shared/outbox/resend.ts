/**
 * Publishes again what this process sent without an acknowledgement, as soon as the broker answers. A sweep waits until
 * an event is ten seconds old, because another process may just be publishing it.
 */
import { sortEntries } from "./outbox-entry.rules.ts";
import type { OutboxSender } from "./outbox-sender.ts";
import type { OutboxStore } from "./outbox-store.ts";
import type { SetAside } from "./set-aside.ts";

type Deps = {
  store: Pick<OutboxStore, "read">;
  sender: Pick<OutboxSender, "send" | "unsent" | "forget">;
  setAside: SetAside;
  connected(): boolean;
  stopped(): boolean;
};

const BATCH = 250;

/** Resolves to the number of published entries; stops at the first that the broker does not acknowledge. */
export function createResend({ store, sender, setAside, connected, stopped }: Deps) {
  return async function resend(): Promise<number> {
    let published = 0;
    while (connected() && !stopped()) {
      const eventIds = sender.unsent(BATCH);
      if (eventIds.length === 0) break;
      const entries = await stillThere(eventIds);
      const [probe, ...others] = entries;
      const found = new Set(entries.map(({ eventId }) => eventId));
      sender.forget(eventIds.filter((eventId) => !found.has(eventId)));
      if (!probe) continue;
      // The server drops the second message of an entry whose acknowledgement was lost.
      if (!(await sender.send(probe))) break;
      const results = await Promise.all(others.map(sender.send));
      published += 1 + results.filter(Boolean).length;
      if (results.includes(false)) break;
    }
    return published;
  };

  async function stillThere(eventIds: readonly string[]) {
    const wanted = new Set(eventIds);
    const sorted = (await store.read(eventIds)).map((holder) => ({ holder, ...sortEntries(holder.outbox) }));
    await Promise.all(sorted.map(({ holder, unreadable }) => setAside(holder, unreadable)));
    return sorted.flatMap(({ readable }) => readable.filter(({ eventId }) => wanted.has(eventId)));
  }
}
