/** Whether the feed of events keeps its promise to a reader: each event once, in an order that never changes. */
import { grouped } from "./grouped.rules.ts";

type Recorded = {
  eventId: string;
  partnerId: string;
  customerId: string | null;
  sequence: number | null;
  feedAtMs: number | null;
};

/** Event ids as two readers of a partner's feed got them. */
export type FeedRead = {
  partnerId: string;
  /** Read page by page through all faults, each page once. */
  followed: readonly string[];
  /** Read from the start when all was quiet. */
  again: readonly string[];
};

/** With `untilMs` only events with an earlier place in the feed are judged: younger ones may not be in it yet. */
export function feedViolations(
  events: readonly Recorded[],
  feeds: readonly FeedRead[],
  untilMs: number | null = null,
): string[] {
  const isJudged = ({ feedAtMs }: Recorded) => untilMs === null || (feedAtMs !== null && feedAtMs < untilMs);
  const young = new Set(events.filter((event) => !isJudged(event)).map(({ eventId }) => eventId));
  const judged = (ids: readonly string[]) => ids.filter((id) => !young.has(id));
  return feeds.flatMap(({ partnerId, followed, again }) =>
    checkFeed(
      events.filter((event) => event.partnerId === partnerId && isJudged(event)),
      { partnerId, followed: judged(followed), again: judged(again) },
    ),
  );
}

function checkFeed(events: readonly Recorded[], { followed, again }: FeedRead): string[] {
  const recorded = new Map(events.map((event) => [event.eventId, event]));
  const [inFollowed, inAgain] = [new Set(followed), new Set(again)];
  const lastRead = again.findLastIndex((id) => inFollowed.has(id));
  const isUnread = (id: string) => !inFollowed.has(id);
  const strangers = [...new Set([...followed, ...again])].filter((id) => !recorded.has(id));
  return [
    ...grouped("twice in the feed", [...repeated(followed), ...repeated(again)]),
    ...grouped("in the feed of a partner that has no such event", strangers),
    ...grouped(
      "recorded and missing from the feed",
      [...recorded.keys()].filter((id) => !inAgain.has(id)),
    ),
    ...grouped("appeared in the feed behind a cursor", again.slice(0, lastRead + 1).filter(isUnread)),
    ...grouped("in the feed and not behind the last cursor", again.slice(lastRead + 1).filter(isUnread)),
    ...grouped("in another order when the feed is read again", reordered([...inFollowed], [...inAgain])),
    ...grouped("events of a customer out of sequence in the feed", outOfSequence(inFollowed, recorded)),
  ];
}

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>();
  return ids.filter((id) => seen.size === seen.add(id).size);
}

/** The first pair that differs: one moved event shifts all behind it. */
function reordered(followed: readonly string[], again: readonly string[]): string[] {
  const [inFollowed, inAgain] = [new Set(followed), new Set(again)];
  const first = followed.filter((id) => inAgain.has(id));
  const second = again.filter((id) => inFollowed.has(id));
  const differs = first.findIndex((id, index) => id !== second[index]);
  return differs < 0 ? [] : [`${first[differs]} before ${second[differs]}`];
}

function outOfSequence(read: ReadonlySet<string>, recorded: ReadonlyMap<string, Recorded>): string[] {
  const events = [...read].flatMap((id) => recorded.get(id) ?? []);
  const ofCustomers = Map.groupBy(
    events.filter(({ customerId }) => customerId !== null),
    ({ customerId }) => customerId,
  );
  return [...ofCustomers].flatMap(([customerId, own]) => {
    const isInSequence = own.every(({ sequence }, index) => sequence === index + 1);
    return isInSequence ? [] : [`${customerId}: ${own.map(({ sequence }) => sequence).join(" ")}`];
  });
}
