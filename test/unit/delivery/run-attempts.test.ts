import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { runAttempts } from "../../../services/delivery/attempt/run-attempts.ts";
import { createEndpointQueues } from "../../../services/delivery/endpoint/endpoint-queues.ts";
import type { AttemptOutcome } from "../../../services/delivery/records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import {
  type DeliveryUpdate,
  putOffByFault,
} from "../../../services/delivery/records/delivery-update.rules.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer } from "../../../shared/telemetry/tracer.ts";

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
  occurredAt: new Date(0),
});

const ENDPOINT: DeliveryEndpoint = {
  endpointId: "e",
  partnerId: "p",
  url: "https://receiver.example",
  status: "Active",
  consecutiveFailures: 0,
  disabledAt: null,
  liveSince: new Date(0).toISOString(),
  secrets: [],
};

const OUTCOME: AttemptOutcome = {
  ok: true,
  statusCode: 200,
  errorKind: null,
  responseExcerpt: "",
  durationMs: 1,
  sentAt: new Date(0),
  retryAfterMs: null,
};

type Wish = { maxPerEndpoint?: number; storing?: (update: DeliveryUpdate) => boolean | Promise<boolean> };

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
    hasEvents: true,
    epoch: 1 as number | null,
    faults: 0,
    /** Not those of attempts that were made. */
    unsent: [] as DeliveryUpdate[],
    made: [] as DeliveryUpdate[],
  };
  const paused: number[] = [];
  const sent: string[] = [];
  const addresses: string[] = [];
  const requests: unknown[] = [];
  let reads = 0;
  const recorded: string[] = [];
  const reportHealth = jest.fn();
  const queues = createEndpointQueues({
    maxInFlight: 10,
    maxPerEndpoint: wish.maxPerEndpoint ?? 10,
    nowMs: () => 0,
    onError: (error) => {
      throw error;
    },
  });
  const stopping = new AbortController();
  const alarm = jest.fn();
  const warn = jest.fn();
  const logger = Object.assign(pino({ level: "silent" }), { error: alarm, warn });
  const metrics = createMetrics("delivery");
  const run = runAttempts({
    events: {
      async contents(events) {
        reads += 1;
        const stored = stage.hasEvents ? events : [];
        return stored.map(({ _id }) => ({ _id, envelopeJson: "{}", traceparent: null }));
      },
    },
    directory: {
      async find() {
        stage.faults -= 1;
        failing(stage.faults >= 0);
        return stage.endpoint;
      },
      secretsOf: () => ["secret"],
    },
    partitions: {
      epoch: () => stage.epoch,
      locate: ({ endpointId }) => ({ endpointId, partition: 0 }),
    },
    pauses,
    excerpts: { seal: async () => null },
    queues,
    sender: {
      send: (request) => {
        const { deliveryId, url } = request;
        requests.push(request);
        sent.push(deliveryId);
        addresses.push(url);
        return answer(deliveryId);
      },
    },
    store: async (update) => {
      if ((await wish.storing?.(update)) === false) return false;
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
    logger,
    metrics,
    tracer: noTracer,
  });
  const start = () => run(["a", "b", "c"].map((id) => ({ delivery: delivery(id) })));
  /** Until nothing is in hand. */
  const handle = async () => {
    await start();
    while (queues.held() > 0) await turns();
  };
  return Object.assign(stage, {
    ...{ run, start, handle, queues, sent, addresses, requests, paused, recorded, reportHealth, stopping },
    ...{ alarm, warn, metrics, reads: () => reads },
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
    putOffByFault({ deliveryId: "a", partnerId: "p", attemptNo: 1 }, { postponed: 0 }, 3_000),
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
  stage.hasEvents = false;
  await stage.handle();
  expect(stage.sent).toEqual([]);
  expect(stage.unsent.map(({ set }) => set.status)).toEqual(["Exhausted", "Exhausted", "Exhausted"]);
  expect(stage.alarm).toHaveBeenCalledTimes(3);
});

test("an attempt with its content does not read it again", async () => {
  const stage = aStage(delivered);
  stage.hasEvents = false;
  const content = { _id: "event of a", envelopeJson: "{}", traceparent: null };
  await stage.run([{ delivery: delivery("a"), content }]);
  await turns();
  expect([stage.sent, stage.recorded, stage.reads()]).toEqual([["a"], ["a"], 0]);
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

test("the registry is away: asked again after 100 ms, then less often, for a third of the lease", async () => {
  jest.useFakeTimers();
  try {
    const stage = aStage(delivered);
    stage.faults = Number.MAX_SAFE_INTEGER;
    const asked = () => Number.MAX_SAFE_INTEGER - stage.faults;
    const handled = stage.start();
    const times = [0, 99, 1, 200, 400, 800, 1_600, 1_999, 1, 12_000, 1_999, 1];
    const counts: number[] = [];
    for (const ms of times) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(asked());
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 6, 7, 13, 13, 14]);
    await handled;
    expect([asked(), stage.sent, stage.unsent.length]).toEqual([14, [], 3]);
    expect(stage.warn.mock.calls[0]).toEqual([{ err: expect.any(Error), attempts: 3 }, "attempts.waiting"]);
  } finally {
    jest.useRealTimers();
  }
});

test("the registry is away and the process stops meanwhile: nobody waits for the next try", async () => {
  const stage = aStage(delivered);
  stage.faults = Number.POSITIVE_INFINITY;
  const startedAt = performance.now();
  const handled = stage.start();
  await turns();
  stage.stopping.abort();
  await handled;
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect(stage.unsent).toHaveLength(3);
});

test("the registry is away and the process stops: they go back into their records", async () => {
  const stage = aStage(delivered);
  stage.faults = Number.POSITIVE_INFINITY;
  stage.stopping.abort();
  await stage.handle();
  expect(stage.sent).toEqual([]);
  expect(stage.unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["a", 2_000],
    ["b", 2_000],
    ["c", 2_000],
  ]);
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

test("an attempt that waited while its endpoint moved goes to the new address", async () => {
  const { addresses } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 1_001;
    stage.endpoint = { ...ENDPOINT, url: "https://new.example" };
  });
  expect(addresses).toEqual([ENDPOINT.url, "https://new.example", "https://new.example"]);
});

test("an attempt that waited at most a second goes to its first address", async () => {
  const { addresses } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 1_000;
    stage.endpoint = { ...ENDPOINT, url: "https://new.example" };
  });
  expect(addresses).toEqual(Array(3).fill(ENDPOINT.url));
});

test("an attempt that waited while its endpoint was disabled is exhausted", async () => {
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

test("an attempt that waited until its lease may end is postponed for another process", async () => {
  const { sent, unsent } = await whileTheFirstHangs((stage) => {
    stage.clock.at += 30_000;
  });
  expect(sent).toEqual(["a"]);
  expect(unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["b", 31_000],
    ["c", 31_000],
  ]);
});

test("an attempt that waited a third of its lease is sent; a moment longer is not", async () => {
  const sentAfter = async (ms: number) => {
    const { sent } = await whileTheFirstHangs((stage) => {
      stage.clock.at += ms;
    });
    return sent.length;
  };
  expect([await sentAfter(20_000), await sentAfter(20_001)]).toEqual([3, 1]);
});

test.each([
  ["a first attempt", null, false],
  ["a replay", "series", true],
])("%s: what the sender is given, and what is stored and told of it", async (_, replaySeries, isReplay) => {
  const stage = aStage(delivered);
  await stage.run([{ delivery: { ...delivery("a"), replaySeries } }]);
  while (stage.queues.held() > 0) await turns();
  expect(stage.requests).toEqual([
    {
      ...{ deliveryId: "a", partnerId: "p", attemptNo: 1, url: ENDPOINT.url, secrets: ["secret"] },
      ...{ eventId: "event of a", eventType: "webhook.test", eventVersion: 1, isReplay, body: "{}" },
    },
  ]);
  expect(stage.made.map(({ set }) => [set.status, set.attemptCount])).toEqual([["Delivered", 1]]);
  expect(stage.reportHealth.mock.calls).toEqual([[ENDPOINT, OUTCOME, false]]);
  expect(await stage.metrics.text()).toMatch(/^pbo_delivery_attempts_total\{.*outcome="delivered".*\} 1$/m);
});

test("the last attempt fails: the registry is told that the delivery ends", async () => {
  const stage = aStage(async () => ({ ...OUTCOME, ok: false }));
  await stage.run([{ delivery: { ...delivery("a"), attemptCount: 2 } }]);
  while (stage.queues.held() > 0) await turns();
  expect(stage.made.map(({ set }) => set.status)).toEqual(["Exhausted"]);
  expect(stage.reportHealth.mock.calls).toEqual([[ENDPOINT, expect.anything(), true]]);
});

test.each([
  [3, 16_000],
  [4, 32_000],
  [5, 60_000],
])("a fault of ours, put off %i times before: again after %i ms", async (postponed, waitMs) => {
  const stage = aStage(() => Promise.reject(new Error("our own fault")));
  await stage.run([{ delivery: { ...delivery("a"), postponed } }]);
  while (stage.queues.held() > 0) await turns();
  expect(stage.unsent.map(({ set }) => set.claimableAt?.getTime())).toEqual([1_000 + waitMs]);
});

test("a pause is stored before the outcome that waits for it", async () => {
  const order: string[] = [];
  const stage = aStage(async () => ({ ...OUTCOME, ok: false, retryAfterMs: 60_000 }), {
    storing: () => order.push("outcome") > 0,
  });
  stage.pauses.pause = async () => {
    await turns();
    order.push("pause");
  };
  await stage.run([{ delivery: delivery("a") }]);
  while (stage.queues.held() > 0) await turns();
  expect(order).toEqual(["pause", "outcome"]);
});

test("it fails while another attempt was asked for a pause: not made again before its end", async () => {
  const stage = aStage(async () => {
    stage.pauses.until = () => 90_000;
    return { ...OUTCOME, ok: false };
  });
  await stage.run([{ delivery: delivery("a") }]);
  while (stage.queues.held() > 0) await turns();
  expect(stage.made.map(({ set }) => set.nextAttemptAt?.getTime())).toEqual([90_000]);
  expect(stage.paused).toEqual([]);
});

test("a paused endpoint: its attempts are put off until then, and take no place in its queue", async () => {
  const stage = aStage(delivered);
  stage.pauses.until = () => 5_000;
  const offer = jest.spyOn(stage.queues, "offer");
  await stage.handle();
  expect(stage.unsent.map(({ set }) => set.claimableAt?.getTime())).toEqual([5_000, 5_000, 5_000]);
  expect(offer).not.toHaveBeenCalled();
});

test("copies that are loaded at once make one request each, and put nothing off", async () => {
  const stage = aStage(delivered);
  await Promise.all([stage.start(), stage.start()]);
  while (stage.queues.held() > 0) await turns();
  expect([stage.sent, stage.unsent]).toEqual([["a", "b", "c"], []]);
});

test("attempts beyond the endpoint's room are postponed by a second", async () => {
  const hangs = Promise.withResolvers<AttemptOutcome>();
  const stage = aStage(() => hangs.promise, { maxPerEndpoint: 1 });
  // One is sent and ten wait.
  await stage.run(Array.from({ length: 12 }, (_, index) => ({ delivery: delivery(String(index)) })));
  expect(stage.unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()])).toEqual([
    ["11", 2_000],
  ]);
  hangs.resolve(OUTCOME);
  while (stage.queues.held() > 0) await turns();
});

test("never rejects: when what is to be put off cannot be stored, that is tried once more", async () => {
  const stored: string[] = [];
  const faults = [new Error("away")];
  const stage = aStage(delivered, {
    async storing({ deliveryId }) {
      const fault = faults.shift();
      if (fault) throw fault;
      stored.push(deliveryId);
      return true;
    },
  });
  stage.epoch = null;
  await stage.start();
  await turns();
  expect(stored.toSorted()).toEqual(["a", "b", "b", "c", "c"]);
});
