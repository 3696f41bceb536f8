import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { runAttempts } from "../../../services/delivery/attempt/run-attempts.ts";
import { createEndpointQueues } from "../../../services/delivery/endpoint/endpoint-queues.ts";
import type { AttemptOutcome } from "../../../services/delivery/records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { type DeliveryUpdate, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";
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

type Wish = { maxPerEndpoint?: number; storing?: (update: DeliveryUpdate) => boolean };

/** The due attempts a, b and c, to one endpoint. */
function aStage(answer: (deliveryId: string) => Promise<AttemptOutcome>, wish: Wish = {}) {
  const clock = { at: 1_000, now: () => clock.at };
  const pauses = {
    until: (): number | null => null,
    pause: async (_: unknown, untilMs: number) => void paused.push(untilMs),
  };
  const stage = {
    clock,
    pauses,
    endpoint: ENDPOINT,
    envelopeJson: "{}" as string | null,
    epoch: 1 as number | null,
    faults: 0,
    /** Not those of attempts that were made. */
    unsent: [] as DeliveryUpdate[],
    made: [] as DeliveryUpdate[],
  };
  const paused: number[] = [];
  const sent: string[] = [];
  const addresses: string[] = [];
  const recorded: string[] = [];
  const reportHealth = jest.fn();
  const queues = createEndpointQueues({
    maxInFlight: 10,
    maxPerEndpoint: wish.maxPerEndpoint ?? 10,
    nowMs: () => 0,
  });
  const stopping = new AbortController();
  const run = runAttempts({
    events: {
      contents: async (events) =>
        events.map(({ _id }) => ({ _id, envelopeJson: stage.envelopeJson, traceparent: null })),
    },
    directory: {
      async find() {
        stage.faults -= 1;
        failing(stage.faults >= 0);
        return stage.endpoint;
      },
      secretsOf: () => [],
    },
    partitions: {
      epoch: () => stage.epoch,
      placeOf: ({ endpointId }) => ({ endpointId, partition: 0 }),
    },
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
      if (wish.storing?.(update) === false) return false;
      (update.set.attemptCount === undefined ? stage.unsent : stage.made).push(update);
      return true;
    },
    stopping: stopping.signal,
    recorded: new Map(),
    reportHealth,
    onRecorded: ({ _id }) => void recorded.push(_id),
    clock,
    random: () => 0,
    config: { retrySchedule: [0, 10, 20], deliveryLeaseMs: 60_000 },
    logger: pino({ level: "silent" }),
    metrics: createMetrics("delivery"),
  });
  const start = () => run(["a", "b", "c"].map((id) => ({ delivery: delivery(id) })));
  /** Until nothing is in hand. */
  const handle = async () => {
    await start();
    while (queues.held() > 0) await turns();
  };
  return Object.assign(stage, {
    ...{ run, start, handle, queues, sent, addresses, paused, recorded, reportHealth, stopping },
  });
}

const delivered = async () => OUTCOME;
function failing(isFailing: boolean): void {
  if (isFailing) throw new Error("no registry");
}

const turns = () => new Promise((resolve) => setTimeout(resolve, 10));

test("each attempt is sent, and recorded when it has ended", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage((id) => (id === "b" ? slow.promise : delivered()));
  await stage.start();
  await turns();
  expect([stage.sent, stage.recorded]).toEqual([
    ["a", "b", "c"],
    ["a", "c"],
  ]);
  slow.resolve(OUTCOME);
  await turns();
  expect([stage.recorded, stage.queues.held()]).toEqual([["a", "c", "b"], 0]);
});

test("an attempt that was not made is put off in its record, and longer each time", async () => {
  const stage = aStage((id) => (id === "a" ? Promise.reject(new Error("our own fault")) : delivered()));
  await stage.handle();
  expect(stage.unsent).toEqual([
    putOff({ deliveryId: "a", partnerId: "p", attemptNo: 1 }, { postponed: 0 }, 3_000),
  ]);
  expect(stage.recorded).toEqual(["b", "c"]);
  expect(stage.reportHealth).toHaveBeenCalledTimes(2);
});

test("an outcome that could not be stored: nobody hears of it, and the attempt is made again", async () => {
  const faults = [false];
  const stage = aStage(delivered, { storing: () => faults.shift() ?? true });
  await stage.handle();
  expect(stage.recorded).toEqual(["b", "c"]);
  expect(stage.reportHealth).toHaveBeenCalledTimes(2);
  await stage.handle();
  expect(stage.sent).toEqual(["a", "b", "c", "a"]);
});

test("a receiver that asks for a pause: in force before the next is sent, which is put off", async () => {
  const stage = aStage(
    async () => ({ ...OUTCOME, ok: false, statusCode: 503, errorKind: "HttpStatus", retryAfterMs: 60_000 }),
    { maxPerEndpoint: 1 },
  );
  stage.pauses.until = () => stage.paused[0] ?? null;
  await stage.handle();
  expect([stage.sent, stage.paused]).toEqual([["a"], [61_000]]);
  expect(stage.made.map(({ set }) => set.nextAttemptAt?.getTime())).toEqual([61_000]);
  expect(stage.unsent.map(({ set }) => set.claimableAt?.getTime())).toEqual([61_000, 61_000]);
});

test("attempts whose event is gone are given up", async () => {
  const stage = aStage(delivered);
  stage.envelopeJson = null;
  await stage.handle();
  expect(stage.sent).toEqual([]);
  expect(stage.unsent.map(({ set }) => set.status)).toEqual(["Exhausted", "Exhausted", "Exhausted"]);
});

test("whoever has the content need not read it", async () => {
  const stage = aStage(delivered);
  stage.envelopeJson = null;
  const content = { _id: "event of a", envelopeJson: "{}", traceparent: null };
  await stage.run([{ delivery: delivery("a"), content }]);
  await turns();
  expect([stage.sent, stage.recorded]).toEqual([["a"], ["a"]]);
});

test("a copy of what is in hand makes no second request", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage(() => slow.promise);
  await stage.start();
  await stage.start();
  expect(stage.sent).toEqual(["a", "b", "c"]);
  slow.resolve(OUTCOME);
  await turns();
  expect([stage.recorded, stage.unsent]).toEqual([["a", "b", "c"], []]);
});

test("a copy whose record was read before the attempt was recorded makes no second request", async () => {
  const stage = aStage(delivered);
  await stage.handle();
  // The stage's record says Pending for ever, as one does that was read a moment too early.
  await stage.handle();
  expect(stage.sent).toEqual(["a", "b", "c"]);
});

test("on a stop: what waits goes back into its record, due at once", async () => {
  const first = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage(() => first.promise, { maxPerEndpoint: 1 });
  await stage.start();
  const stopped = stage.queues.stop();
  first.resolve(OUTCOME);
  await stopped;
  expect(stage.sent).toEqual(["a"]);
  expect(stage.unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["b", 1_000],
    ["c", 1_000],
  ]);
});

test("the registry is away for a moment: they are sent when it is back, and nothing is put off", async () => {
  const stage = aStage(delivered);
  stage.faults = 1;
  await stage.handle();
  expect([stage.sent, stage.unsent]).toEqual([["a", "b", "c"], []]);
});

test("the registry is away and the process stops: they go back into their records", async () => {
  const stage = aStage(delivered);
  stage.faults = Number.POSITIVE_INFINITY;
  stage.stopping.abort();
  await stage.handle();
  expect([stage.sent, stage.unsent.map(({ deliveryId }) => deliveryId)]).toEqual([[], ["a", "b", "c"]]);
});

test("attempts of a partition that this process does not hold go back into their records", async () => {
  const stage = aStage(delivered);
  stage.epoch = null;
  await stage.handle();
  expect(stage.sent).toEqual([]);
  expect(stage.unsent.map(({ set }) => set.claimableAt?.getTime())).toEqual([1_000, 1_000, 1_000]);
});

/** One request at a time to the endpoint: the others wait in the queue behind the first. */
async function whileTheFirstHangs(meanwhile: (stage: ReturnType<typeof aStage>) => void) {
  const first = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage((id) => (id === "a" ? first.promise : delivered()), { maxPerEndpoint: 1 });
  await stage.start();
  expect(stage.sent).toEqual(["a"]);
  meanwhile(stage);
  first.resolve(OUTCOME);
  while (stage.queues.held() > 0) await turns();
  return stage;
}

test.each([
  ["another process took the partition", null],
  ["the partition was another's and came back", 2],
])("what waited while %s is not sent from here", async (_, epoch) => {
  const { sent, recorded, unsent } = await whileTheFirstHangs((stage) => {
    stage.epoch = epoch;
  });
  // What was under way has an outcome, which its record takes or refuses.
  expect([sent, recorded]).toEqual([["a"], ["a"]]);
  expect(unsent.map(({ deliveryId }) => deliveryId)).toEqual(["b", "c"]);
});

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
  const { sent, unsent } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 30_000;
  });
  expect(sent).toEqual(["a"]);
  expect(unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["b", 31_000],
    ["c", 31_000],
  ]);
});
