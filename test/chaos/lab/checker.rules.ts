/** Compares what was promised with what there is: every difference is a violation, said in a sentence. */
import { type FeedRead, feedViolations } from "./feed.rules.ts";
import { grouped } from "./grouped.rules.ts";
import type { Create, Ledger, Patch, Replay, Test } from "./ledger.rules.ts";

type Customer = {
  customerId: string;
  partnerId: string;
  reference: string;
  tradingName: string | null;
  people: number;
  sequence: number;
};
export type RecordedEvent = {
  eventId: string;
  partnerId: string;
  customerId: string | null;
  requestId: string | null;
  sequence: number | null;
  eventType: string;
  body: string;
  occurredAtMs: number;
  /** The database's time in the feed; null while the event has no place in it. */
  feedAtMs: number | null;
};
type Delivery = {
  deliveryId: string;
  eventId: string;
  partnerId: string;
  status: string;
  isReplay: boolean;
  createdAtMs: number;
};
export type Received = {
  eventId: string;
  partnerId: string;
  body: string;
  isSigned: boolean;
  receivedAtMs: number;
};

export type Snapshot = {
  customers: Customer[];
  events: RecordedEvent[];
  deliveries: Delivery[];
  received: Received[];
  /** Per partner: the total of the history, and the counted deliveries. */
  totals: { partnerId: string; told: number; counted: number }[];
  /** When a partner's endpoint was disabled: events of that time need not be sent. */
  disabled: { partnerId: string; fromMs: number; toMs: number }[];
  /** Customers in whose outbox so many entries were put that cannot be read. */
  damaged: { customerId: string; entries: number }[];
  setAside: string[];
  /** The feed of each partner; none where it is not judged. */
  feeds: FeedRead[];
  /** Only events with an earlier place in the feed must be in it; null: all. */
  feedUntilMs: number | null;
};

export function violationsOf(ledger: Ledger, found: Snapshot): string[] {
  return [
    ...grouped("answered neither 200 nor 503", ledger.wrong),
    ...checkCreates(ledger.creates, found.customers),
    ...checkPatches(ledger.patches, found.customers),
    ...checkSequences(found),
    ...checkTests(ledger.tests, found.events),
    ...checkReplays(ledger.replays, found.deliveries),
    ...checkReceived(found),
    ...checkDamaged(found),
    ...feedViolations(found.events, found.feeds, found.feedUntilMs),
    ...found.totals
      .filter(({ told, counted }) => told !== counted)
      .map(
        ({ partnerId, told, counted }) => `the history of ${partnerId} says ${told} of ${counted} deliveries`,
      ),
  ];
}

function checkCreates(creates: readonly Create[], customers: readonly Customer[]): string[] {
  const byReference = Map.groupBy(customers, ({ reference }) => reference);
  const asked = new Set(creates.map(({ reference }) => reference));
  const acknowledged = creates.filter(({ verdict }) => verdict === "acknowledged");
  const lost = acknowledged.filter(
    ({ reference, customerId }) => !byReference.get(reference)?.some((one) => one.customerId === customerId),
  );
  const partial = acknowledged.filter(({ reference, people, partnerId }) =>
    byReference.get(reference)?.some((one) => one.people !== people || one.partnerId !== partnerId),
  );
  const refused = creates.filter(
    ({ verdict, reference }) => verdict === "refused" && byReference.has(reference),
  );
  const doubled = [...byReference].filter(([, found]) => found.length > 1);
  const phantoms = customers.filter(({ reference }) => !asked.has(reference));
  return [
    ...grouped("created and lost", lost, referenceOf),
    ...grouped("created in part", partial, referenceOf),
    ...grouped("refused and created all the same", refused, referenceOf),
    ...grouped("created twice", doubled, keyOf),
    ...grouped("a customer nobody asked for", phantoms, referenceOf),
  ];
}

/** The patches of a customer are made one after the other: it has the last acknowledged one or an unknown later one. */
function checkPatches(patches: readonly Patch[], customers: readonly Customer[]): string[] {
  const names = new Map(customers.map(({ customerId, tradingName }) => [customerId, tradingName]));
  const wrong = [...Map.groupBy(patches, ({ customerId }) => customerId)].filter(([customerId, made]) => {
    const last = made.findLastIndex(({ verdict }) => verdict === "acknowledged");
    const allowed: (string | null)[] = made
      .filter(({ verdict }, index) => index === last || (index > last && verdict === "unknown"))
      .map(({ tradingName }) => tradingName);
    if (last < 0) allowed.push(null);
    return names.has(customerId) && !allowed.includes(names.get(customerId) ?? null);
  });
  return grouped("changed otherwise than answered", wrong, keyOf);
}

function checkSequences({ customers, events }: Snapshot): string[] {
  const ofCustomer = Map.groupBy(events, ({ customerId }) => customerId);
  const gaps = customers.flatMap(({ customerId, sequence, people }) => {
    const own = ofCustomer.get(customerId) ?? [];
    const numbers = own.map((event) => event.sequence ?? 0).toSorted((a, b) => a - b);
    const added = own.filter(({ eventType }) => eventType === "business.person.added").length;
    const isGapless = numbers.length === sequence && numbers.every((number, index) => number === index + 1);
    if (isGapless && added === people) return [];
    return [`${customerId} has ${sequence} events, recorded are ${numbers.join(" ") || "none"}`];
  });
  const known = new Set(customers.map(({ customerId }) => customerId));
  const strays = events.filter(({ customerId }) => customerId !== null && !known.has(customerId));
  return [
    ...grouped("a gap in the events of a customer", gaps),
    ...grouped("an event of a customer that does not exist", strays, eventOf),
  ];
}

function checkTests(tests: readonly Test[], events: readonly RecordedEvent[]): string[] {
  const ids = new Set(events.map(({ eventId }) => eventId));
  const requests = new Set(events.map(({ requestId }) => requestId));
  const lost = tests.filter(({ verdict, eventId }) => verdict === "acknowledged" && !ids.has(eventId ?? ""));
  const made = tests.filter(
    ({ verdict, requestId }) => verdict === "refused" && requests.has(requestId ?? ""),
  );
  return [
    ...grouped("a test event answered 200 and lost", lost, eventOf),
    ...grouped("a test event refused and made all the same", made, ({ requestId }) => requestId),
  ];
}

/** Each event is replayed once at most. */
function checkReplays(replays: readonly Replay[], deliveries: readonly Delivery[]): string[] {
  const made = Map.groupBy(
    deliveries.filter(({ isReplay }) => isReplay),
    ({ eventId }) => eventId,
  );
  const count = (eventId: string) => made.get(eventId)?.length ?? 0;
  const lost = replays.filter(({ verdict, eventId }) => verdict === "acknowledged" && count(eventId) === 0);
  const refused = replays.filter(({ verdict, eventId }) => verdict === "refused" && count(eventId) > 0);
  const doubled = replays.filter(({ eventId }) => count(eventId) > 1);
  return [
    ...grouped("a replay answered 200 and lost", lost, eventOf),
    ...grouped("a replay refused and made all the same", refused, eventOf),
    ...grouped("replayed twice", doubled, eventOf),
  ];
}

function checkReceived({ events, deliveries, received, disabled }: Snapshot): string[] {
  const bodies = new Map(events.map((event) => [event.eventId, event]));
  const got = new Set(received.map(({ eventId }) => eventId));
  const wasLive = (partnerId: string, atMs: number) =>
    !disabled.some((time) => time.partnerId === partnerId && atMs >= time.fromMs && atMs <= time.toMs);
  const mustBeSent = ({ partnerId, occurredAtMs }: RecordedEvent) => wasLive(partnerId, occurredAtMs);
  const missing = events.filter((event) => mustBeSent(event) && !got.has(event.eventId));
  const exhausted = deliveries.filter(({ status, eventId, partnerId, isReplay, createdAtMs }) => {
    const event = bodies.get(eventId);
    if (status !== "Exhausted" || event === undefined) return false;
    // An event of an earlier time may have been replayed to an endpoint that was disabled then.
    return isReplay ? wasLive(partnerId, createdAtMs) : mustBeSent(event);
  });
  const planned = Map.groupBy(
    deliveries.filter(({ isReplay }) => !isReplay),
    ({ eventId }) => eventId,
  );
  const doubled = [...planned].filter(([, found]) => found.length > 1);
  const unsigned = received.filter(({ isSigned }) => !isSigned);
  const changed = received.filter(({ eventId, body }) => (bodies.get(eventId)?.body ?? body) !== body);
  const misled = received.filter(
    ({ eventId, partnerId }) => (bodies.get(eventId)?.partnerId ?? partnerId) !== partnerId,
  );
  return [
    ...grouped("recorded and never received", missing, eventOf),
    ...grouped("given up", exhausted, (one) => `${one.isReplay ? "replay of " : ""}${one.eventId}`),
    ...grouped("planned twice", doubled, keyOf),
    ...grouped("received with a wrong signature", unsigned, eventOf),
    ...grouped("received with other bytes than recorded", changed, eventOf),
    ...grouped("received by another partner", misled, eventOf),
  ];
}

function checkDamaged({ damaged, setAside }: Snapshot): string[] {
  const odd = [...Map.groupBy(damaged, ({ customerId }) => customerId)].flatMap(([customerId, all]) => {
    const wanted = all.reduce((sum, { entries }) => sum + entries, 0);
    const found = setAside.filter((subject) => subject === customerId).length;
    return found < wanted ? [`${customerId}: ${found} of ${wanted}`] : [];
  });
  return grouped("damaged outbox entries that are no dead letters", odd);
}

const referenceOf = ({ reference }: { reference: string }): string => reference;
const eventOf = ({ eventId }: { eventId: string | null }): string | null => eventId;
const keyOf = ([key]: readonly [string, ...unknown[]]): string => key;
