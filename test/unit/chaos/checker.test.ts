import { describe, expect, test } from "@jest/globals";
import { type RecordedEvent, type Snapshot, violationsOf } from "../../chaos/lab/checker.rules.ts";
import { cutOffViolations, type Span } from "../../chaos/lab/cut-off.rules.ts";
import { emptyLedger, isWrong, type Ledger, verdictOf } from "../../chaos/lab/ledger.rules.ts";
import { dishonestMs, type Sample, stoodWhileReady } from "../../chaos/lab/progress.rules.ts";

type World = { ledger: Ledger; found: Snapshot };

const anEvent = (eventId: string, sequence: number, changes: Partial<RecordedEvent> = {}): RecordedEvent => ({
  eventId,
  partnerId: "acme",
  customerId: "c1",
  requestId: "r1",
  sequence,
  eventType: sequence === 1 ? "business.profile.created" : "business.person.added",
  body: `{"${eventId}":1}`,
  occurredAtMs: 1_000,
  feedAtMs: 1_000,
  ...changes,
});

/** A customer with one person, a test event and a replay, all as promised. */
function aGoodWorld(): World {
  const events = [
    anEvent("e1", 1),
    anEvent("e2", 2),
    anEvent("t1", 0, { customerId: null, sequence: null, eventType: "webhook.test", requestId: "r2" }),
  ];
  const unanswered = { partnerId: "acme", customerId: null, people: 0, answer: { atMs: 0, status: 503 } };
  const delivered = (eventId: string, deliveryId: string, isReplay = false) => ({
    ...{ deliveryId, eventId, isReplay },
    partnerId: "acme",
    status: "Delivered",
    createdAtMs: 1_000,
  });
  return {
    ledger: {
      ...emptyLedger(),
      creates: [
        {
          verdict: "acknowledged",
          ...{ partnerId: "acme", reference: "ref1", customerId: "c1", people: 1 },
          answer: { atMs: 0, status: 200 },
        },
        { verdict: "refused", reference: "ref2", ...unanswered },
        { verdict: "unknown", reference: "ref3", ...unanswered },
      ],
      patches: [{ verdict: "acknowledged", customerId: "c1", tradingName: "First" }],
      tests: [{ verdict: "acknowledged", requestId: null, eventId: "t1" }],
      replays: [{ verdict: "acknowledged", eventId: "e1" }],
    },
    found: {
      customers: [
        {
          ...{ customerId: "c1", reference: "ref1" },
          partnerId: "acme",
          tradingName: "First",
          people: 1,
          sequence: 2,
        },
      ],
      events,
      deliveries: [
        ...events.map(({ eventId }, index) => delivered(eventId, `d${index + 1}`)),
        delivered("e1", "d4", true),
      ],
      received: events.map(({ eventId, partnerId, body }) => ({
        eventId,
        partnerId,
        body,
        isSigned: true,
        receivedAtMs: 1_000,
      })),
      totals: [{ partnerId: "acme", told: 4, counted: 4 }],
      disabled: [],
      damaged: [{ customerId: "c1", entries: 2 }],
      setAside: ["c1", "c1"],
      feeds: [],
      feedUntilMs: null,
    },
  };
}

const told = (change: (world: World) => void): string[] => {
  const world = aGoodWorld();
  change(world);
  return violationsOf(world.ledger, world.found).map((violation) => violation.split(":")[0] ?? "");
};
const first = <T>(items: readonly T[]): T => items[0] as T;

describe("cutOffViolations", () => {
  const span = (kind: Span["fault"]["kind"], fromMs: number, toMs: number): Span => ({
    fault: { kind },
    fromMs,
    toMs,
  });
  const cutOff = span("link-cut-off", 0, 16_000);
  const creates = (refused: number, answered: number, atMs = 10_000) =>
    Array.from({ length: refused + answered }, (_, index) => ({
      answer: { atMs, status: index < refused ? 503 : 200 },
    }));

  test.each([
    ["one of twenty", creates(1, 19), [cutOff], 0],
    ["more", creates(2, 19), [cutOff], 1],
    ["more of too few", creates(2, 5), [cutOff], 0],
    ["more, before the breaker can have opened", creates(10, 20, 8_000), [cutOff], 0],
    ["more, after the end", creates(10, 20, 16_000), [cutOff], 0],
    ["more, beside another fault", creates(10, 20), [cutOff, span("link-cut", 9_000, 9_000)], 0],
    ["more, at another fault", creates(10, 20), [span("link-hold", 0, 16_000)], 0],
  ])("%s: %#", (_, made, spans, violations) => {
    expect(cutOffViolations(made, spans)).toHaveLength(violations);
  });
});

describe("violationsOf", () => {
  test("a damaged outbox entry that was not set aside is one", () => {
    const one = "damaged outbox entries that are no dead letters";
    expect(told(({ found }) => void found.setAside.pop())).toEqual([one]);
    expect(told(({ found }) => void found.damaged.push({ customerId: "c1", entries: 1 }))).toEqual([one]);
    expect(told(({ found }) => void found.setAside.push("c1"))).toEqual([]);
  });

  test("a world that is as promised has none", () => {
    expect(told(() => undefined)).toEqual([]);
  });

  test("a create of unknown outcome may exist", () => {
    const exists = told(({ found }) => {
      found.customers.push({
        ...first(found.customers),
        customerId: "c3",
        reference: "ref3",
        people: 0,
        sequence: 1,
      });
      const event = anEvent("e9", 1, { customerId: "c3" });
      found.events.push(event);
      found.received.push({ ...event, isSigned: true, receivedAtMs: 1_000 });
    });
    expect(exists).toEqual([]);
  });

  const faults: Record<string, [(world: World) => unknown, ...string[]]> = {
    "a lost customer": [
      ({ found }) => found.customers.splice(0),
      "created and lost",
      "an event of a customer that does not exist",
    ],
    "a customer with other people": [
      ({ ledger }) => Object.assign(first(ledger.creates), { people: 2 }),
      "created in part",
    ],
    "a doubled customer": [
      ({ found }) =>
        found.customers.push({ ...first(found.customers), customerId: "c2", people: 0, sequence: 0 }),
      "created in part",
      "created twice",
    ],
    "a refused create that exists": [
      ({ found }) => Object.assign(first(found.customers), { reference: "ref2" }),
      "created and lost",
      "refused and created all the same",
    ],
    "a phantom": [
      ({ found }) =>
        found.customers.push({
          ...first(found.customers),
          ...{ customerId: "c2", reference: "x", people: 0, sequence: 0 },
        }),
      "a customer nobody asked for",
    ],
    "a lost change": [
      ({ found }) => Object.assign(first(found.customers), { tradingName: null }),
      "changed otherwise than answered",
    ],
    "a refused change that was made": [
      ({ ledger, found }) => {
        ledger.patches.push({ verdict: "refused", customerId: "c1", tradingName: "Second" });
        Object.assign(first(found.customers), { tradingName: "Second" });
      },
      "changed otherwise than answered",
    ],
    "an event that was never recorded": [
      ({ found }) => {
        found.events.splice(1, 1);
        found.received.splice(1, 1);
      },
      "a gap in the events of a customer",
    ],
    "a gap in sequence": [
      ({ found }) => Object.assign(found.events[1] as RecordedEvent, { sequence: 3 }),
      "a gap in the events of a customer",
    ],
    "an event never received": [({ found }) => found.received.splice(0, 1), "recorded and never received"],
    "a delivery given up": [
      ({ found }) => Object.assign(first(found.deliveries), { status: "Exhausted" }),
      "given up",
    ],
    "an event planned twice": [
      ({ found }) => found.deliveries.push({ ...first(found.deliveries), deliveryId: "d9" }),
      "planned twice",
    ],
    "a wrong signature": [
      ({ found }) => Object.assign(first(found.received), { isSigned: false }),
      "received with a wrong signature",
    ],
    "other bytes": [
      ({ found }) => Object.assign(first(found.received), { body: "{}" }),
      "received with other bytes than recorded",
    ],
    "another partner's event": [
      ({ found }) => Object.assign(first(found.received), { partnerId: "globex" }),
      "received by another partner",
    ],
    "a lost test event": [
      ({ ledger }) => Object.assign(first(ledger.tests), { eventId: "t2" }),
      "a test event answered 200 and lost",
    ],
    "a refused test event that was made": [
      ({ ledger }) => ledger.tests.push({ verdict: "refused", requestId: "r2", eventId: null }),
      "a test event refused and made all the same",
    ],
    "a lost replay": [({ found }) => found.deliveries.pop(), "a replay answered 200 and lost"],
    "a refused replay that was made": [
      ({ ledger }) => Object.assign(first(ledger.replays), { verdict: "refused" }),
      "a replay refused and made all the same",
    ],
    "a doubled replay": [
      ({ found }) =>
        found.deliveries.push({
          ...(found.deliveries.at(-1) as Snapshot["deliveries"][number]),
          deliveryId: "d9",
        }),
      "replayed twice",
    ],
    "a wrong total": [
      ({ found }) => Object.assign(first(found.totals), { told: 3 }),
      "the history of acme says 3 of 4 deliveries",
    ],
    "a wrong answer": [({ ledger }) => ledger.wrong.push("create 500"), "answered neither 200 nor 503"],
  };
  test.each(Object.entries(faults))("%s is reported", (_, [change, ...expected]) => {
    expect(told((world) => void change(world))).toEqual(expected);
  });

  test("events during a disabled endpoint need not be sent; later events must be", () => {
    const disabledUntil = (toMs: number) =>
      told(({ found }) => {
        found.received.splice(0, 1);
        found.disabled.push({ partnerId: "acme", fromMs: 0, toMs });
      });
    expect(disabledUntil(1_000)).toEqual([]);
    expect(disabledUntil(999)).toEqual(["recorded and never received"]);
  });
});

describe("a replay that was given up", () => {
  const exhausted = (createdAtMs: number) =>
    told(({ found }) => {
      const replay = found.deliveries.findLast(({ isReplay }) => isReplay);
      Object.assign(replay as object, { status: "Exhausted", createdAtMs });
      found.disabled.push({ partnerId: "acme", fromMs: 2_000, toMs: 3_000 });
    });

  test("is no fault when it was made while the endpoint was disabled, however old its event is", () => {
    expect(exhausted(2_500)).toEqual([]);
  });

  test("is one when it was made before or later", () => {
    expect([exhausted(1_999), exhausted(3_001)]).toEqual([["given up"], ["given up"]]);
  });
});

describe("an answer", () => {
  test.each([
    [200, "", "acknowledged", false],
    [null, "", "unknown", false],
    [503, "It cannot be reached. Nothing was changed. Try again shortly.", "refused", false],
    [503, "The outcome is unknown.", "unknown", false],
    [404, "There is no such customer.", "refused", true],
    [500, "Something went wrong.", "unknown", true],
  ])("%s %s: %s", (status, description, verdict, wrong) => {
    const answer = { status, code: null, description };
    expect([verdictOf(answer), isWrong(answer)]).toEqual([verdict, wrong]);
  });
});

describe("readiness", () => {
  const standing = (seconds: number, changes: (second: number) => Partial<Sample> = () => ({})): Sample[] =>
    Array.from({ length: seconds + 1 }, (_, second) => ({
      ...{ atMs: second * 1_000, stolenMs: 0, notReady: [], backlog: 5, done: 10 },
      ...changes(second),
    }));
  const judged = (samples: Sample[], isExcused = (_: number) => false) =>
    stoodWhileReady(dishonestMs(samples, isExcused));

  test("work that stands for longer than ten seconds while all are ready is told", () => {
    expect(judged(standing(10))).toEqual([]);
    expect(judged(standing(11))).toEqual(["work stood for 11 s while every process said it was ready"]);
  });

  test.each<[string, (second: number) => Partial<Sample>]>([
    ["work moves", (second) => ({ done: second })],
    ["there is none", () => ({ backlog: 0 })],
    ["it cannot be counted", () => ({ backlog: null })],
    [
      "a process says that it is not ready",
      (second) => (second % 8 === 0 ? { notReady: ["delivery-1"] } : {}),
    ],
  ])("it is honest when %s", (_, changes) => {
    expect(judged(standing(60, changes))).toEqual([]);
  });

  test("it stood only while the machine ran", () => {
    const halfStolen = (second: number) => ({ stolenMs: 7_000 + second * 500 });
    expect(judged(standing(20, halfStolen))).toEqual([]);
    expect(judged(standing(22, halfStolen))).toEqual([
      "work stood for 11 s while every process said it was ready",
    ]);
  });

  test("a receiver's fault is an excuse", () => {
    expect(judged(standing(20), (atMs) => atMs === 10_000)).toEqual([]);
  });
});
