import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { runAttempts } from "../../../services/delivery/attempt/run-attempts.ts";
import { createEndpointQueues } from "../../../services/delivery/endpoint/endpoint-queues.ts";
import type { AttemptOutcome } from "../../../services/delivery/records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { type DeliveryUpdate, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";
import type { StreamMessage } from "../../../shared/jetstream/jetstream.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

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

const ENDPOINT: DeliveryEndpoint = {
  endpointId: "e",
  partnerId: "p",
  url: "https://receiver.example",
  status: "Active",
  consecutiveFailures: 0,
  disabledAt: null,
  secrets: [],
};

const OUTCOME: AttemptOutcome = {
  ok: true,
  statusCode: 200,
  errorKind: null,
  responseExcerpt: "",
  durationMs: 1,
  sentAt: new Date(0).toISOString(),
  retryAfterMs: null,
};

type Wish = { maxPerEndpoint?: number; storing?: (update: DeliveryUpdate) => Promise<void> };

/** A message of the attempts a, b and c, to one endpoint. */
function aStage(answer: (deliveryId: string) => Promise<AttemptOutcome>, wish: Wish = {}) {
  const clock = { at: 1_000, now: () => clock.at };
  const pauses = {
    until: (): number | null => null,
    pause: async (_: string, untilMs: number) => void paused.push(untilMs),
  };
  const stage = {
    clock,
    pauses,
    endpoint: ENDPOINT,
    envelopeJson: "{}" as string | null,
    isPurged: false,
    /** Not those of attempts that were made. */
    unsent: [] as DeliveryUpdate[],
    made: [] as DeliveryUpdate[],
  };
  const paused: number[] = [];
  const answers: string[] = [];
  const sent: string[] = [];
  const addresses: string[] = [];
  const recorded: string[] = [];
  const reportHealth = jest.fn();
  const message = {
    subject: "deliveries.attempt.due",
    sequence: 1,
    deliveryCount: 1,
    text: () => JSON.stringify(["a", "b", "c"].map((deliveryId) => ({ deliveryId, attemptNo: 1 }))),
    ack: () => void answers.push("ack"),
    nak: (delayMs = 0) => void answers.push(`nak ${delayMs}`),
    term: () => void answers.push("term"),
  } as unknown as StreamMessage;
  const queues = createEndpointQueues({
    maxInFlight: 10,
    maxPerEndpoint: wish.maxPerEndpoint ?? 10,
    nowMs: () => 0,
  });
  const handler = runAttempts({
    deliveries: { load: async (ids) => (stage.isPurged ? [] : ids.map(delivery)) },
    events: {
      contents: async (ids) =>
        ids.map((_id) => ({ _id, envelopeJson: stage.envelopeJson, traceparent: null })),
    },
    directory: { find: async () => stage.endpoint, secretsOf: () => [] },
    recent: { take: () => null },
    pauses,
    queues,
    sender: {
      send: ({ deliveryId, url }) => {
        sent.push(deliveryId);
        addresses.push(url);
        return answer(deliveryId);
      },
    },
    store: async (update) => {
      await wish.storing?.(update);
      (update.set.attemptCount === undefined ? stage.unsent : stage.made).push(update);
    },
    recorded: new Map(),
    reportHealth,
    onRecorded: ({ _id }) => void recorded.push(_id),
    clock,
    random: () => 0,
    config: { retrySchedule: [0, 10, 20], deliveryLeaseMs: 60_000 },
    logger: pino({ level: "silent" }),
    metrics: createMetrics("delivery"),
  });
  const release = jest.fn();
  const handle = () => handler([message], release);
  return Object.assign(stage, {
    ...{ handle, message, queues, answers, sent, release, addresses, paused, recorded, reportHealth },
  });
}

const delivered = async () => OUTCOME;
function failing(isFailing: boolean): void {
  if (isFailing) throw new Error("no database");
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 10));

test("a message is acked when each of its attempts is recorded, and not before", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage((id) => (id === "b" ? slow.promise : delivered()));
  const handled = stage.handle();
  await turns();
  expect([stage.sent, stage.answers]).toEqual([["a", "b", "c"], []]);
  slow.resolve(OUTCOME);
  await handled;
  expect(stage.answers).toEqual(["ack"]);
  expect(stage.release.mock.calls).toEqual([[stage.message]]);
  expect(stage.recorded).toEqual(["a", "c", "b"]);
});

test("an attempt that was not made is put off in its record, and longer each time", async () => {
  const stage = aStage((id) => (id === "a" ? Promise.reject(new Error("our own fault")) : delivered()));
  await stage.handle();
  expect(stage.answers).toEqual(["ack"]);
  expect(stage.unsent).toEqual([putOff({ deliveryId: "a", attemptNo: 1 }, { postponed: 0 }, 3_000)]);
  expect(stage.recorded).toEqual(["b", "c"]);
  expect(stage.reportHealth).toHaveBeenCalledTimes(2);
});

test("an attempt that was neither made nor put off brings its message back, once the others are through", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage(
    (id) => {
      if (id === "a") return Promise.reject(new Error("our own fault"));
      return id === "b" ? slow.promise : delivered();
    },
    { storing: async ({ deliveryId }) => failing(deliveryId === "a") },
  );
  const handled = stage.handle();
  await turns();
  expect(stage.answers).toEqual([]);
  slow.resolve(OUTCOME);
  await handled;
  expect(stage.answers).toEqual(["nak 2000"]);
});

test("an outcome that could not be stored brings its message back, and nobody hears of it", async () => {
  const stage = aStage(delivered, { storing: async ({ deliveryId }) => failing(deliveryId === "c") });
  await stage.handle();
  expect(stage.answers).toEqual(["nak 2000"]);
  expect(stage.recorded).toEqual(["a", "b"]);
  expect(stage.reportHealth).toHaveBeenCalledTimes(2);
});

test("a receiver that asks for a pause: in force before the next is sent, which is put off", async () => {
  const stage = aStage(
    async () => ({ ...OUTCOME, ok: false, statusCode: 503, errorKind: "HttpStatus", retryAfterMs: 60_000 }),
    { maxPerEndpoint: 1 },
  );
  stage.pauses.until = () => stage.paused[0] ?? null;
  await stage.handle();
  expect([stage.sent, stage.paused, stage.answers]).toEqual([["a"], [61_000], ["ack"]]);
  expect(stage.made.map(({ set }) => set.nextAttemptAt?.getTime())).toEqual([61_000]);
  expect(stage.unsent.map(({ set }) => set.claimableAt?.getTime())).toEqual([61_000, 61_000]);
});

test("attempts of deliveries that do not exist: nothing is sent or stored", async () => {
  const stage = aStage(delivered);
  stage.isPurged = true;
  await stage.handle();
  expect([stage.sent, stage.unsent, stage.answers]).toEqual([[], [], ["ack"]]);
});

test("attempts whose event is gone are given up", async () => {
  const stage = aStage(delivered);
  stage.envelopeJson = null;
  await stage.handle();
  expect([stage.sent, stage.answers]).toEqual([[], ["ack"]]);
  expect(stage.unsent.map(({ set }) => set.status)).toEqual(["Exhausted", "Exhausted", "Exhausted"]);
});

test("a copy of what is in hand is acked without a second request", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage(() => slow.promise);
  const first = stage.handle();
  await turns();
  await stage.handle();
  expect([stage.sent, stage.answers]).toEqual([["a", "b", "c"], ["ack"]]);
  slow.resolve(OUTCOME);
  await first;
  expect(stage.answers).toEqual(["ack", "ack"]);
});

test("a copy whose record was read before the attempt was recorded is acked without a second request", async () => {
  const stage = aStage(delivered);
  await stage.handle();
  // The stage's record says Pending for ever, as one does that was read a moment too early.
  await stage.handle();
  expect([stage.sent, stage.answers]).toEqual([
    ["a", "b", "c"],
    ["ack", "ack"],
  ]);
});

test("an outcome that could not be stored leaves the attempt to be made again", async () => {
  const faults = [true];
  const stage = aStage(delivered, { storing: async () => failing(faults.shift() ?? false) });
  await stage.handle();
  await stage.handle();
  expect(stage.sent).toEqual(["a", "b", "c", "a"]);
});

test("on a stop: what waits is dropped, and its message comes again at once", async () => {
  const first = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage(() => first.promise, { maxPerEndpoint: 1 });
  const handled = stage.handle();
  await turns();
  const stopped = stage.queues.stop();
  first.resolve(OUTCOME);
  await Promise.all([handled, stopped]);
  expect([stage.sent, stage.answers]).toEqual([["a"], ["nak 0"]]);
});

/** One request at a time to the endpoint: the others wait in the queue behind the first. */
async function whileTheFirstHangs(meanwhile: (stage: ReturnType<typeof aStage>) => void) {
  const first = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage((id) => (id === "a" ? first.promise : delivered()), { maxPerEndpoint: 1 });
  const handled = stage.handle();
  await turns();
  expect(stage.sent).toEqual(["a"]);
  meanwhile(stage);
  first.resolve(OUTCOME);
  await handled;
  return stage;
}

test("what waited while its endpoint moved goes to the new address", async () => {
  const { addresses } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 2_000;
    stage.endpoint = { ...ENDPOINT, url: "https://new.example" };
  });
  expect(addresses).toEqual([ENDPOINT.url, "https://new.example", "https://new.example"]);
});

test("what waited while its endpoint was disabled is given up", async () => {
  const { sent, unsent } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 2_000;
    stage.endpoint = { ...ENDPOINT, status: "Disabled" };
  });
  expect(sent).toEqual(["a"]);
  expect(unsent.map(({ deliveryId, set }) => [deliveryId, set.status])).toEqual([
    ["b", "Exhausted"],
    ["c", "Exhausted"],
  ]);
});

test("what waited so long that its lease may end is put off, for whoever has room", async () => {
  const { sent, answers, unsent } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 30_000;
  });
  expect([sent, answers]).toEqual([["a"], ["ack"]]);
  expect(unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["b", 31_000],
    ["c", 31_000],
  ]);
});
