/** Compares what was promised with what there is: every difference is a violation, said in a sentence. */
import { customerViolations } from "./check-customers.rules.ts";
import { deliveryViolations } from "./check-deliveries.rules.ts";
import { replayViolations } from "./check-replays.rules.ts";
import { uploadViolations } from "./check-uploads.rules.ts";
import { type FeedRead, feedViolations } from "./feed.rules.ts";
import { grouped } from "./grouped.rules.ts";
import type { Ledger, Test } from "./ledger.rules.ts";

export type Customer = {
  customerId: string;
  partnerId: string;
  reference: string;
  people: number;
  sequence: number;
  /** By `<kind> <id>` of a change: the value that is stored, null as a create leaves it. */
  values: ReadonlyMap<string, string | null>;
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
  recordedAtMs: number;
  /** The database's time in the feed; null while the event has no place in it. */
  feedAtMs: number | null;
  /** Its endpoint was live when it was recorded. */
  isRouted: boolean;
};
export type Delivery = {
  deliveryId: string;
  eventId: string;
  partnerId: string;
  status: string;
  /** The replay that it belongs to. */
  series: string | null;
  createdAtMs: number;
  /** Given up because the endpoint was disabled. */
  isDisabled: boolean;
};
export type Received = {
  deliveryId: string;
  eventId: string;
  partnerId: string;
  body: string;
  isSigned: boolean;
  receivedAtMs: number;
  /** The status that the receiver answered; null for none. */
  answered: number | null;
};
export type Job = {
  series: string;
  partnerId: string;
  fromMs: number;
  toMs: number;
  askedAtMs: number;
  isFinished: boolean;
  created: number;
};
export type StoredDocument = {
  documentId: string;
  /** Customer, person and category. */
  slot: string;
  createdAtMs: number;
  status: string;
  sha256: string | null;
  /** In reads of its customer. */
  shownAs: string | null;
  /** SHA-256 of the bytes in storage; null where there are none. */
  bytesSha256: string | null;
};

export type Snapshot = {
  customers: Customer[];
  events: RecordedEvent[];
  deliveries: Delivery[];
  received: Received[];
  jobs: Job[];
  documents: StoredDocument[];
  /** When a partner's endpoint was disabled: events of that time need not be sent. */
  disabled: { partnerId: string; fromMs: number; toMs: number }[];
  /** The most faults that a round had. */
  faultsAtOnce: number;
  /** Customers in whose outbox so many entries were put that cannot be read. */
  damaged: { customerId: string; entries: number }[];
  setAside: string[];
  /** The feed of each partner; none where it is not judged. */
  feeds: FeedRead[];
  /** Only events with an earlier place in the feed must be in it; null: all. */
  feedUntilMs: number | null;
};

export const violationsOf = (ledger: Ledger, found: Snapshot): string[] => [
  ...grouped("answered neither 200 nor 503", ledger.wrong),
  ...customerViolations(ledger, found),
  ...checkTests(ledger.tests, found.events),
  ...replayViolations(ledger, found),
  ...deliveryViolations(found),
  ...uploadViolations(ledger.uploads, found.documents),
  ...checkDamaged(found),
  ...feedViolations(found.events, found.feeds, found.feedUntilMs),
];

function checkTests(tests: readonly Test[], events: readonly RecordedEvent[]): string[] {
  const ids = new Set(events.map(({ eventId }) => eventId));
  const requests = new Set(events.map(({ requestId }) => requestId));
  const lost = tests.filter(({ verdict, eventId }) => verdict === "acknowledged" && !ids.has(eventId ?? ""));
  const made = tests.filter(
    ({ verdict, requestId }) => verdict === "refused" && requests.has(requestId ?? ""),
  );
  return [
    ...grouped("a test event answered 200 and lost", lost, ({ eventId }) => eventId),
    ...grouped("a test event refused and made all the same", made, ({ requestId }) => requestId),
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
