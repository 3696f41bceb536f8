import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import type { OpenDelivery } from "../../../services/delivery/delivery.repository.ts";
import { createEndpointQueues } from "../../../services/delivery/endpoint-queues.ts";
import { runAttempts } from "../../../services/delivery/run-attempts.ts";
import type { StreamMessage } from "../../../shared/jetstream.ts";

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

function aStage(deliver: (deliveryId: string) => Promise<() => Promise<void>>) {
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
  const queues = createEndpointQueues({ mostInFlight: 10, mostPerEndpoint: 10, nowMs: () => 0 });
  const sent: string[] = [];
  const handler = runAttempts({
    deliveries: { load: async (ids) => ids.map(delivery) },
    events: {
      contents: async (ids) => ids.map((_id) => ({ _id, envelopeJson: "{}", traceparent: null })),
    },
    directory: { find: async () => ENDPOINT },
    recent: { take: () => null },
    pauses: { until: () => null },
    queues,
    deliver: (attempt) => {
      sent.push(attempt.delivery._id);
      return deliver(attempt.delivery._id);
    },
    store: async () => undefined,
    clock: { now: () => 1_000 },
    logger: pino({ level: "silent" }),
  });
  const release = jest.fn();
  return { handle: () => handler([message], release), message, queues, verdicts, sent, release };
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

test("an attempt that was not made brings its message back, once the others are through", async () => {
  const slow = Promise.withResolvers<() => Promise<void>>();
  const { handle, verdicts } = aStage((id) => {
    if (id === "a") return Promise.reject(new Error("our own fault"));
    return id === "b" ? slow.promise : stored();
  });
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
