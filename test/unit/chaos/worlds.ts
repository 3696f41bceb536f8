/** A world as it was promised, for each test to break in one place. */
import { type RecordedEvent, type Snapshot, violationsOf } from "../../chaos/lab/checker.rules.ts";
import { emptyLedger, type Ledger } from "../../chaos/lab/ledger.rules.ts";

export type World = { ledger: Ledger; found: Snapshot };

const TYPES = ["created", "updated"].map((what) => `business.profile.${what}`);
export const anEvent = (
  eventId: string,
  sequence: number,
  changes: Partial<RecordedEvent> = {},
): RecordedEvent => ({
  ...{ eventId, partnerId: "acme", customerId: "c1", requestId: "r1", sequence },
  eventType: sequence === 2 ? "business.person.added" : (TYPES[sequence === 1 ? 0 : 1] as string),
  body: `{"${eventId}":1}`,
  ...{ occurredAtMs: 1_000, recordedAtMs: 1_000, feedAtMs: 1_000, isRouted: true },
  ...changes,
});
export const aDelivery = (eventId: string, deliveryId: string, series: string | null = null) => ({
  ...{ deliveryId, eventId, series, partnerId: "acme", status: "Delivered" },
  ...{ createdAtMs: 1_000, isDisabled: false },
});
export const aRequest = (deliveryId: string, { eventId, partnerId, body }: RecordedEvent) => ({
  ...{ deliveryId, eventId, partnerId, body, isSigned: true, receivedAtMs: 1_000 },
  answered: 200 as number | null,
});
export const aCustomer = (customerId: string, reference: string, people = 0, sequence = 1) => ({
  ...{ customerId, reference, partnerId: "acme", people, sequence },
  values: new Map<string, string | null>([[`profile ${customerId}`, null]]),
});
const WINDOW = { partnerId: "acme", series: "w1", fromMs: 0, toMs: 2_000, askedAtMs: 9_000 };

/** A customer with a person, a change and a file; a test event, a replay of e1, and one of a window. */
function aGoodWorld(): World {
  const events = [
    ...[anEvent("e1", 1), anEvent("e2", 2), anEvent("e3", 3)],
    anEvent("t1", 0, { customerId: null, sequence: null, eventType: "webhook.test", requestId: "r2" }),
  ];
  const unanswered = { partnerId: "acme", customerId: null, people: 1, answer: { atMs: 0, status: 503 } };
  const deliveries = [
    ...events.map(({ eventId }, index) => aDelivery(eventId, `d${index + 1}`)),
    aDelivery("e1", "d5", "s1"),
    ...events.map(({ eventId }) => aDelivery(eventId, `w-${eventId}`, "w1")),
  ];
  const event = (id: string) => events.find(({ eventId }) => eventId === id) as RecordedEvent;
  const made = { version: 1, verdict: "acknowledged" as const };
  const c1 = { ...aCustomer("c1", "ref1", 1, 3), values: new Map([["profile c1", "First"]]) };
  return {
    ledger: {
      ...emptyLedger(),
      creates: [
        {
          ...{ verdict: "acknowledged", partnerId: "acme", reference: "ref1", customerId: "c1", people: 1 },
          answer: { atMs: 0, status: 200 },
        },
        { verdict: "refused", reference: "ref2", ...unanswered },
        { verdict: "unknown", reference: "ref3", ...unanswered },
      ],
      changes: [{ ...made, kind: "profile", customerId: "c1", subjectId: "c1", value: "First" }],
      keyed: [{ reference: "ref1", values: ["c1", "c1"] }],
      tests: [{ verdict: "acknowledged", requestId: null, eventId: "t1" }],
      replays: [{ verdict: "acknowledged", eventId: "e1", deliveryId: "d5" }],
      windows: [{ ...WINDOW, verdict: "acknowledged", expected: 4 }],
      uploads: [
        { verdict: "acknowledged", customerId: "c1", documentId: "f1", sha256: "aa", endedAtMs: 5_000 },
      ],
    },
    found: {
      customers: [c1],
      events,
      deliveries,
      received: deliveries.map(({ deliveryId, eventId }) => aRequest(deliveryId, event(eventId))),
      jobs: [{ ...WINDOW, isFinished: true, created: 4 }],
      documents: [
        {
          ...{ documentId: "f1", slot: "c1 BankStatement", createdAtMs: 1_000, status: "Confirmed" },
          ...{ sha256: "aa", shownAs: "Confirmed", bytesSha256: "aa" },
        },
      ],
      disabled: [],
      faultsAtOnce: 1,
      damaged: [{ customerId: "c1", entries: 2 }],
      setAside: ["c1", "c1"],
      feeds: [],
      feedUntilMs: null,
    },
  };
}

/** Each violation without its count. */
export const told = (change: (world: World) => unknown): string[] => {
  const world = aGoodWorld();
  change(world);
  return violationsOf(world.ledger, world.found).map((one) => one.replace(/: \d.*$/s, ""));
};
export const first = <T>(items: readonly T[]): T => items[0] as T;
