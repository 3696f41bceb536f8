import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { runAttempts } from "../../../services/delivery/attempt/run-attempts.ts";
import type { RegisteredEndpoint } from "../../../services/delivery/endpoint/endpoint-directory.ts";
import { createEndpointQueues } from "../../../services/delivery/endpoint/endpoint-queues.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { type DeliveryUpdate, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import type { StreamMessage } from "../../../shared/jetstream/jetstream.ts";

const delivery = (_id: string): OpenDelivery => ({
  _id,
  partnerId: "p",
  endpointId: "e",
  eventId: `event of ${_id}`,
  eventType: "webhook.test",
  eventVersion: 1,
  replaySeries: null,
  status: "Pending",
  attemptCount: 0,
  nextAttemptAt: new Date(0),
  postponed: 0,
});

const ENDPOINT = {
  endpointId: "e",
  partnerId: "p",
  url: "https://receiver.example",
  status: "Active" as const,
  consecutiveFailures: 0,
  secrets: [],
};

type Wish = { mostPerEndpoint?: number; stored?: (update: DeliveryUpdate) => Promise<void> };

function aStage(deliver: (deliveryId: string) => Promise<() => Promise<void>>, wish: Wish = {}) {
  const clock = { at: 1_000, now: () => clock.at };
  const stored: DeliveryUpdate[] = [];
  const addresses: string[] = [];
  const directory = { endpoint: ENDPOINT as RegisteredEndpoint };
  const verdicts: string[] = [];
  const message = {
    subject: "deliveries.attempt.due",
    sequence: 1,
    deliveryCount: 1,
    text: () => JSON.stringify(["a", "b", "c"].map((deliveryId) => ({ deliveryId, attemptNo: 1 }))),
    ack: () => void verdicts.push("ack"),
    nak: (delayMs = 0) => void verdicts.push(`nak ${delayMs}`),
    term: () => void verdicts.push("term"),
  } as unknown as StreamMessage;
  const queues = createEndpointQueues({
    mostInFlight: 10,
    mostPerEndpoint: wish.mostPerEndpoint ?? 10,
    nowMs: () => 0,
  });
  const sent: string[] = [];
  const handler = runAttempts({
    deliveries: { load: async (ids) => ids.map(delivery) },
    events: {
      contents: async (ids) => ids.map((_id) => ({ _id, envelopeJson: "{}", traceparent: null })),
    },
    directory: { find: async () => directory.endpoint },
    recent: { take: () => null },
    pauses: { until: () => null },
    queues,
    deliver: (attempt) => {
      sent.push(attempt.delivery._id);
      addresses.push(attempt.endpoint.url);
      return deliver(attempt.delivery._id);
    },
    store: async (update) => {
      await wish.stored?.(update);
      stored.push(update);
    },
    clock,
    leaseMs: 60_000,
    logger: pino({ level: "silent" }),
  });
  const release = jest.fn();
  const handle = () => handler([message], release);
  return { handle, message, queues, verdicts, sent, release, clock, stored, addresses, directory };
}

const stored = async () => async () => undefined;
const turns = () => new Promise((resolve) => setTimeout(resolve, 10));

test("a message is acked when each of its attempts is stored, and not before", async () => {
  const slow = Promise.withResolvers<() => Promise<void>>();
  const { handle, verdicts, sent, release, message } = aStage((id) => (id === "b" ? slow.promise : stored()));
  const handled = handle();
  await turns();
  expect([sent, verdicts]).toEqual([["a", "b", "c"], []]);
  slow.resolve(async () => undefined);
  await handled;
  expect(verdicts).toEqual(["ack"]);
  expect(release.mock.calls).toEqual([[message]]);
});

test("an attempt that was not made is put off in its record, and longer each time", async () => {
  const {
    handle,
    verdicts,
    stored: updates,
  } = aStage((id) => (id === "a" ? Promise.reject(new Error("our own fault")) : stored()));
  await handle();
  expect(verdicts).toEqual(["ack"]);
  expect(updates).toEqual([putOff({ deliveryId: "a", attemptNo: 1 }, { postponed: 0 }, 3_000)]);
});

test("an attempt that was neither made nor put off brings its message back, once the others are through", async () => {
  const slow = Promise.withResolvers<() => Promise<void>>();
  const { handle, verdicts } = aStage(
    (id) => {
      if (id === "a") return Promise.reject(new Error("our own fault"));
      return id === "b" ? slow.promise : stored();
    },
    { stored: () => Promise.reject(new Error("no database")) },
  );
  const handled = handle();
  await turns();
  expect(verdicts).toEqual([]);
  slow.resolve(async () => undefined);
  await handled;
  expect(verdicts).toEqual(["nak 2000"]);
});

test("an outcome that could not be stored brings its message back", async () => {
  const { handle, verdicts } = aStage(async (id) => async () => {
    if (id === "c") throw new Error("not stored");
  });
  await handle();
  expect(verdicts).toEqual(["nak 2000"]);
});

test("a copy of what is in hand is acked without a second request", async () => {
  const slow = Promise.withResolvers<() => Promise<void>>();
  const { handle, verdicts, sent } = aStage(() => slow.promise);
  const first = handle();
  await turns();
  await handle();
  expect([sent, verdicts]).toEqual([["a", "b", "c"], ["ack"]]);
  slow.resolve(async () => undefined);
  await first;
  expect(verdicts).toEqual(["ack", "ack"]);
});

test("a copy whose record was read before the attempt ended is acked without a second request", async () => {
  const { handle, verdicts, sent } = aStage(stored);
  await handle();
  // The stage's record says Pending for ever, as one does that was read a moment too early.
  await handle();
  expect([sent, verdicts]).toEqual([
    ["a", "b", "c"],
    ["ack", "ack"],
  ]);
});

test("an outcome that could not be stored leaves the attempt to be made again", async () => {
  const outcomes = [new Error("not stored"), null];
  const { handle, sent } = aStage(async () => async () => {
    const error = outcomes.shift();
    if (error) throw error;
  });
  await handle();
  await handle();
  expect(sent).toEqual(["a", "b", "c", "a"]);
});

/** One request at a time to the endpoint: the others wait in the queue behind the first. */
async function whileTheFirstHangs(meanwhile: (stage: ReturnType<typeof aStage>) => void) {
  const first = Promise.withResolvers<() => Promise<void>>();
  const stage = aStage((id) => (id === "a" ? first.promise : stored()), { mostPerEndpoint: 1 });
  const handled = stage.handle();
  await turns();
  expect(stage.sent).toEqual(["a"]);
  meanwhile(stage);
  first.resolve(async () => undefined);
  await handled;
  return stage;
}

test("what waited while its endpoint moved goes to the new address", async () => {
  const { addresses } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 2_000;
    stage.directory.endpoint = { ...ENDPOINT, url: "https://new.example" };
  });
  expect(addresses).toEqual([ENDPOINT.url, "https://new.example", "https://new.example"]);
});

test("what waited while its endpoint was disabled is given up", async () => {
  const { sent, stored: updates } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 2_000;
    stage.directory.endpoint = { ...ENDPOINT, status: "Disabled" };
  });
  expect(sent).toEqual(["a"]);
  expect(updates.map(({ deliveryId, set }) => [deliveryId, set.status])).toEqual([
    ["b", "Exhausted"],
    ["c", "Exhausted"],
  ]);
});

test("what waited so long that its lease may end is put off, for whoever has room", async () => {
  const {
    sent,
    verdicts,
    stored: updates,
  } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 30_000;
  });
  expect([sent, verdicts]).toEqual([["a"], ["ack"]]);
  expect(updates.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["b", 31_000],
    ["c", 31_000],
  ]);
});
