import { describe, expect, test } from "@jest/globals";
import { answerViolations, mostRefused } from "../../chaos/lab/answers.rules.ts";
import type { RecordedEvent, Snapshot } from "../../chaos/lab/checker.rules.ts";
import { cutOffViolations, type Span } from "../../chaos/lab/cut-off.rules.ts";
import { isWrong, type Ledger, verdictOf } from "../../chaos/lab/ledger.rules.ts";
import { aCustomer, aDelivery, anEvent, aRequest, first, told, type World } from "./worlds.ts";

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

  const unknownExists = (people: number) =>
    told(({ found }) => {
      const added = people === 1 ? [anEvent("e9", 2, { customerId: "c3" })] : [];
      const events = [anEvent("e8", 1, { customerId: "c3" }), ...added];
      found.customers.push(aCustomer("c3", "ref3", people, events.length));
      found.events.push(...events.map((event) => ({ ...event, recordedAtMs: 10_000 })));
      found.deliveries.push(...events.map(({ eventId }) => aDelivery(eventId, eventId)));
      found.received.push(...events.map((event) => aRequest(event.eventId, event)));
    });

  test("a create of unknown outcome may exist, as a whole", () => {
    expect([unknownExists(1), unknownExists(0)]).toEqual([[], ["created in part"]]);
  });

  const change = (changes: object) => ({
    ...{ verdict: "acknowledged" as const, kind: "profile" as const, customerId: "c1" },
    ...{ subjectId: "c1", value: "First", version: null, ...changes },
  });
  const withDisabled = (fromMs: number, toMs: number, world: World) =>
    void world.found.disabled.push({ partnerId: "acme", fromMs, toMs });
  const drop = (items: { eventId: string; deliveryId?: string }[], id: string) =>
    items.splice(
      items.findIndex(({ eventId, deliveryId = eventId }) => deliveryId === id),
      1,
    );
  type Row = [(world: World) => unknown, ...string[]];
  /** Changes the first one of them. */
  const on = (name: keyof Snapshot | keyof Ledger, changes: object, ...reported: string[]): Row => [
    ({ ledger, found }) => Object.assign(first<object>(({ ...ledger, ...found } as never)[name]), changes),
    ...reported,
  ];
  const WINDOW = "a window replay answered 200 and not done";
  const faults: Record<string, Row> = {
    "a lost customer": [
      ({ found }) => found.customers.splice(0),
      "created and lost",
      "an event of a customer that does not exist",
    ],
    "a customer with other people": on("creates", { people: 2 }, "created in part"),
    "a doubled customer": [
      ({ found }) => found.customers.push(aCustomer("c2", "ref1", 1, 0)),
      "created twice",
      "a gap in the events of a customer",
    ],
    "a refused create that exists": on(
      "customers",
      { reference: "ref2" },
      "created and lost",
      "refused and created all the same",
    ),
    "a phantom": [
      ({ found }) => found.customers.push(aCustomer("c2", "x", 0, 0)),
      "a customer nobody asked for",
    ],
    "a key with two answers": [
      ({ ledger }) => first(ledger.keyed).values.push("c2"),
      "one Idempotency-Key with several answers",
    ],
    "a lost change": on(
      "customers",
      { values: new Map([["profile c1", null]]) },
      "changed otherwise than answered",
    ),
    "a refused change that was made": [
      ({ ledger, found }) => {
        ledger.changes.push(change({ verdict: "refused", value: "Second" }));
        Object.assign(first(found.customers), { values: new Map([["profile c1", "Second"]]) });
      },
      "changed otherwise than answered",
    ],
    "two changes of one version": [
      ({ ledger }) => ledger.changes.unshift(change({ version: 1 })),
      "two changes of one version succeeded",
      "an acknowledged change without its event",
    ],
    "a change without its event": [
      ({ ledger }) => ledger.changes.unshift(change({})),
      "an acknowledged change without its event",
    ],
    "an event that was never recorded": [
      ({ found, ledger }) => {
        found.events.splice(1, 1);
        Object.assign(first(ledger.windows), { series: null });
      },
      "a gap in the events of a customer",
    ],
    "a gap in sequence": [
      ({ found }) => Object.assign(found.events[1] as RecordedEvent, { sequence: 4 }),
      "a gap in the events of a customer",
    ],
    "an event without a delivery": [
      ({ found }) => drop(found.deliveries, "d1"),
      "recorded without a delivery",
    ],
    "an event never answered 2xx": [
      ({ found }) => {
        for (const one of found.received.filter(({ eventId }) => eventId === "e2")) one.answered = 500;
        for (const one of found.deliveries.filter(({ eventId }) => eventId === "e2")) one.status = "Pending";
      },
      "recorded and never received",
    ],
    "a delivery without an answer 2xx": on("received", { answered: null }, "delivered without an answer 2xx"),
    "a delivery given up": on("deliveries", { status: "Exhausted" }, "given up"),
    "an event planned twice": [
      ({ found }) => {
        found.deliveries.push(aDelivery("e1", "d9"));
        found.received.push({ ...first(found.received), deliveryId: "d9" });
      },
      "planned twice",
    ],
    "a delivery sent without end": [
      ({ found }) => found.received.push(...Array(3).fill(first(found.received))),
      "a delivery received more than 3 times",
    ],
    "all deliveries sent twice": [
      ({ found }) => {
        const many = Array.from({ length: 65 }, (_, index) => ({
          ...first(found.received),
          deliveryId: `m${index}`,
        }));
        found.received.push(...many, ...many);
      },
      "deliveries received more than once",
    ],
    "a wrong signature": on("received", { isSigned: false }, "received with a wrong signature"),
    "other bytes": on("received", { body: "{}" }, "received with other bytes than recorded"),
    "another partner's event": on("received", { partnerId: "globex" }, "received by another partner"),
    "a lost test event": on("tests", { eventId: "t2" }, "a test event answered 200 and lost"),
    "a refused test event that was made": [
      ({ ledger }) => ledger.tests.push({ verdict: "refused", requestId: "r2", eventId: null }),
      "a test event refused and made all the same",
    ],
    "a lost replay": [({ found }) => drop(found.deliveries, "d5"), "a replay answered 200 and lost"],
    "a replay that is not sent": [
      ({ found }) => {
        Object.assign(found.deliveries[4] as object, { status: "Pending" });
        drop(found.received, "d5");
      },
      "a replay answered 200 and not sent",
    ],
    "a refused replay that was made": on(
      "replays",
      { verdict: "refused" },
      "a replay refused and made all the same",
    ),
    "a doubled replay": [
      ({ found }) => {
        found.deliveries.push(aDelivery("e1", "d9", "s2"));
        found.received.push({ ...first(found.received), deliveryId: "d9" });
      },
      "replayed twice",
    ],
    "a window without its job": on("windows", { series: "w2" }, WINDOW),
    "a window that is not finished": on("jobs", { isFinished: false }, WINDOW),
    "a window that ends early": [
      ({ found }) => {
        drop(found.deliveries, "w-e3");
        Object.assign(first(found.jobs), { created: 3 });
      },
      WINDOW,
    ],
    "an event twice in a window": [
      ({ found }) => {
        found.deliveries.push(aDelivery("e1", "w-twice", "w1"));
        found.received.push({ ...first(found.received), deliveryId: "w-twice" });
      },
      WINDOW,
    ],
    "a window with an event of another time": [
      ({ found }) => Object.assign(found.events[2] as RecordedEvent, { occurredAtMs: 2_001 }),
      WINDOW,
    ],
    "a window that counts wrong": on("jobs", { created: 5 }, WINDOW),
    "a refused window that was made": on(
      "windows",
      { verdict: "refused" },
      "a window replay refused and made all the same",
    ),
    "a lost upload": on("documents", { documentId: "f2" }, "uploaded and not kept"),
    "an upload that is not confirmed": on("documents", { status: "AwaitingUpload" }, "uploaded and not kept"),
    "an upload superseded by no later link": on(
      "documents",
      { status: "Superseded" },
      "uploaded and not kept",
    ),
    "another SHA-256": on("documents", { sha256: "bb" }, "uploaded and not kept"),
    "a file that is gone": on("documents", { bytesSha256: null }, "uploaded and not kept"),
    "a document that its customer does not show": on(
      "documents",
      { shownAs: "AwaitingUpload" },
      "uploaded and not kept",
    ),
    "a wrong answer": [({ ledger }) => ledger.wrong.push("create 500"), "answered neither 200 nor 503"],
  };
  test.each(Object.entries(faults))("%s is reported", (_, [change, ...expected]) => {
    expect(told(change)).toEqual(expected);
  });

  const excused: Record<string, (world: World) => unknown> = {
    "an upload that a later link superseded": ({ found }) => {
      found.documents.push({ ...first(found.documents), documentId: "f2", createdAtMs: 6_000 });
      Object.assign(first(found.documents), { status: "Superseded" });
    },
    "a file that storage did not answer for": ({ ledger, found }) => {
      Object.assign(first(ledger.uploads), { verdict: "unknown" });
      Object.assign(first(found.documents), { status: "AwaitingUpload", sha256: null });
    },
    "an attempt that failed before the one that succeeded": ({ found }) =>
      found.received.unshift({ ...first(found.received), answered: 500 }),
    "an event recorded after a window was asked for": ({ ledger, found }) => {
      drop(found.deliveries, "w-e3");
      Object.assign(found.events[2] as RecordedEvent, { recordedAtMs: 9_001 });
      Object.assign(first(found.jobs), { created: 3 });
      Object.assign(first(ledger.windows), { expected: 3 });
    },
    "an event recorded at the moment of the request": ({ ledger, found }) => {
      drop(found.deliveries, "w-e3");
      Object.assign(found.events[2] as RecordedEvent, { feedAtMs: 6_000 });
      Object.assign(first(found.jobs), { created: 3 });
      Object.assign(first(ledger.windows), { expected: 3 });
    },
  };
  test.each(Object.entries(excused))("%s is none", (_, change) => {
    expect(told(change)).toEqual([]);
  });

  test("events during a disabled endpoint need not be sent; those before and after it must be", () => {
    const disabled = (fromMs: number, toMs: number, changes: Partial<RecordedEvent> = {}) =>
      told((world) => {
        Object.assign(first(world.found.events), changes);
        drop(world.found.deliveries, "d1");
        withDisabled(fromMs, toMs, world);
      });
    const missing = ["recorded without a delivery"];
    expect(disabled(1_000, 1_000)).toEqual([]);
    expect([disabled(0, 999), disabled(1_001, 2_000)]).toEqual([missing, missing]);
    // Recorded while the endpoint was disabled.
    const unrouted = { isRouted: false };
    expect(disabled(1_001, 2_000, unrouted).includes("recorded without a delivery")).toBe(false);
    expect(disabled(61_001, 62_000, unrouted)).toContain("recorded without a delivery");
  });

  test("a delivery that waited when its endpoint was disabled may be given up", () => {
    const exhausted = (isDisabled: boolean) =>
      told((world) => {
        Object.assign(first(world.found.deliveries), { status: "Exhausted", isDisabled });
        withDisabled(1_001, 2_000, world);
      });
    expect([exhausted(true), exhausted(false)]).toEqual([[], ["given up"]]);
  });
});

describe("a replay that was given up", () => {
  const exhausted = (createdAtMs: number) =>
    told(({ ledger, found }) => {
      ledger.replays.pop();
      const replay = found.deliveries.find(({ series }) => series === "s1");
      Object.assign(replay as Snapshot["deliveries"][number], { status: "Exhausted", createdAtMs });
      found.disabled.push({ partnerId: "acme", fromMs: 2_000, toMs: 3_000 });
    });

  test("is no fault when it was made while the endpoint was disabled, however old its event is", () => {
    expect(exhausted(2_500)).toEqual([]);
  });

  test("is one when it was made before or later", () => {
    expect([exhausted(1_999), exhausted(3_001)]).toEqual([["given up"], ["given up"]]);
  });
});

describe("answerViolations", () => {
  const span = (kind: Span["fault"]["kind"], target: string): Span => ({
    ...{ fault: { kind, target }, fromMs: 10_000, toMs: 20_000 },
  });
  const calls = (count: number, status: number | null, atMs = 15_000, tookMs = 10) =>
    Array.from({ length: count }, () => ({ what: "create", code: null, atMs, tookMs, status }));

  test.each<[string, number, Span[]]>([
    ["a server is away", 106, [span("mongod-freeze", "mongod")]],
    ["all links to a server are cut", 106, [span("link-hold", "*>mongod")]],
    ["one of two replicas is away", 56, [span("process-freeze", "profile-1")]],
    ["one replica is cut off", 56, [span("link-hold", "profile-1>mongod")]],
    ["both, at one time", 106, [span("link-hold", "profile-1>mongod"), span("mongod-freeze", "mongod")]],
    ["a receiver fails", 6, [span("receiver-500", "receiver")]],
    ["nothing is broken", 6, []],
  ])("%s: of 100 calls then and 200 later, %i may be refused", (_, most, spans) => {
    const round = { calls: [...calls(100, 200), ...calls(200, 200, 40_000)], spans };
    expect(mostRefused(round)).toBe(most);
  });

  test("more refused calls than the faults explain are reported; no answer counts as refused", () => {
    const spans = [span("receiver-500", "receiver")];
    expect(answerViolations({ calls: [...calls(97, 200), ...calls(3, 503)], spans })).toEqual([]);
    expect(
      answerViolations({ calls: [...calls(96, 200), ...calls(3, 503), ...calls(1, null)], spans }),
    ).toEqual(["refused or unknown: 4 of 100 calls, allowed are 3"]);
  });

  test("an answer after its bound is reported; the calls of a frozen gateway wait for it", () => {
    const late = { calls: calls(1, 200, 15_000, 15_501), spans: [span("process-freeze", "profile-1")] };
    expect(answerViolations(late)).toEqual(["answered later than 15 s: 1 (create 15501 ms)"]);
    expect(answerViolations({ ...late, calls: calls(1, 200, 15_000, 15_500) })).toEqual([]);
    expect(answerViolations({ ...late, spans: [span("process-freeze", "gateway-1")] })).toEqual([]);
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
