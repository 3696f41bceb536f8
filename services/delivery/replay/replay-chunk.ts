/** The next events of a replay: those it takes, and how far it has come. */
import type { DeliverableEvent } from "../records/delivery.rules.ts";
import type { ReplayRepository } from "./replay.repository.ts";
import { isWanted } from "./replay.rules.ts";
import type { AskedReplay, ReplayJob } from "./replay-job.model.ts";

type Chunk = { wanted: DeliverableEvent[]; cursor: ReplayJob["cursor"] };

type Replays = Pick<ReplayRepository, "eventsAfter" | "deliveriesOf">;

const EVENTS_PER_CHUNK = 500;

/** null when the window is at its end. */
export async function nextChunk(
  replays: Replays,
  selection: AskedReplay,
  cursor: ReplayJob["cursor"],
): Promise<Chunk | null> {
  const events = await replays.eventsAfter(selection, cursor, EVENTS_PER_CHUNK);
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return null;
  const next = { occurredAt: last.occurredAt, eventId: last._id };
  if (selection.status === null) return { wanted: events, cursor: next };
  const past = await replays.deliveriesOf(selection, first.occurredAt, last.occurredAt);
  const byEvent = Map.groupBy(past, ({ eventId }) => eventId);
  const wanted = events.filter(({ _id }) => isWanted(byEvent.get(_id) ?? [], selection, selection.askedAt));
  return { wanted, cursor: next };
}

/** `refuseWhenLate` throws once the caller no longer waits for the number. */
export async function countWanted(
  replays: Replays & Pick<ReplayRepository, "count">,
  selection: AskedReplay,
  refuseWhenLate: () => void,
): Promise<number> {
  if (selection.status === null) return replays.count(selection);
  let count = 0;
  let cursor: ReplayJob["cursor"] = null;
  for (;;) {
    refuseWhenLate();
    const chunk = await nextChunk(replays, selection, cursor);
    if (!chunk) return count;
    count += chunk.wanted.length;
    cursor = chunk.cursor;
  }
}
