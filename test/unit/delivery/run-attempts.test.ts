import { expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import type { AttemptDeps } from "../../../services/delivery/attempt/attempt-deps.ts";
import { runAttempts } from "../../../services/delivery/attempt/run-attempts.ts";
import { createEndpointQueues } from "../../../services/delivery/endpoint/endpoint-queues.ts";
import type { AttemptOutcome } from "../../../services/delivery/records/attempt-outcome.rules.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import {
  type DeliveryUpdate,
  putOffByFault,
} from "../../../services/delivery/records/delivery-update.rules.ts";
import type { AttemptRequest } from "../../../services/delivery/send/send-attempt.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer } from "../../../shared/telemetry/tracer.ts";
import { anEndpoint } from "../../support/builders/delivery-records.ts";

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

const ENDPOINT = anEndpoint({ url: "https://receiver.example" });

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
    /** Updates of attempts that were not made. */
    unsent: [] as DeliveryUpdate[],
    made: [] as DeliveryUpdate[],
  };
  const paused: number[] = [];
  const requests: AttemptRequest[] = [];
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
    runtime: {
      ...{ clock, logger, metrics, tracer: noTracer },
      config: { retrySchedule: [0, 10, 20], deliveryLeaseMs: 60_000 },
    },
    events: {
      async contents(events: { _id: string }[]) {
        reads += 1;
        const stored = stage.hasEvents ? events : [];
        return stored.map(({ _id }) => ({ _id, envelopeJson: "{}", traceparent: null }));
      },
    },
    endpoints: {
      directory: {
        async find() {
          stage.faults -= 1;
          if (stage.faults >= 0) throw new Error("no registry");
          return stage.endpoint;
        },
        secretsOf: () => ["secret"],
      },
      partitions: {
        epoch: () => stage.epoch,
        locate: ({ endpointId }: OpenDelivery) => ({ endpointId, partition: 0 }),
      },
      pauses,
      queues,
    },
    excerpts: { seal: async () => null },
    sender: {
      send(request: AttemptRequest) {
        requests.push(request);
        return answer(request.deliveryId);
      },
    },
    async store(update: DeliveryUpdate) {
      if ((await wish.storing?.(update)) === false) return false;
      (update.set.attemptCount === undefined ? stage.unsent : stage.made).push(update);
      return true;
    },
    stopping: stopping.signal,
    recorded: new Map(),
    reportHealth,
    onRecorded: ({ _id }: OpenDelivery) => void recorded.push(_id),
  } as unknown as AttemptDeps);
  const start = () => run(["a", "b", "c"].map((id) => ({ delivery: delivery(id) })));
  const untilDone = async () => {
    while (queues.held() > 0) await turns();
  };
  return {
    ...{ stage, run, start, untilDone, queues, requests, paused, recorded, reportHealth, stopping },
    ...{ alarm, warn, metrics, reads: () => reads },
    sent: () => requests.map(({ deliveryId }) => deliveryId),
    async handle() {
      await start();
      await untilDone();
    },
    /** Runs the first attempt of a delivery with these fields. */
    async handleOne(given: Partial<OpenDelivery> = {}) {
      await run([{ delivery: { ...delivery("a"), ...given } }]);
      await untilDone();
    },
    /** When the attempts that were not made are due again, by delivery. */
    dueAgain: () => stage.unsent.map(({ deliveryId, set }) => [deliveryId, set.claimableAt?.getTime()]),
  };
}

const delivered = async () => OUTCOME;

const turns = () => new Promise((resolve) => setTimeout(resolve, 10));

test("each attempt is sent, and recorded when it has ended", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const { start, sent, recorded, queues } = aStage((id) => (id === "b" ? slow.promise : delivered()));
  await start();
  await turns();
  expect([sent(), recorded]).toEqual([
    ["a", "b", "c"],
    ["a", "c"],
  ]);
  slow.resolve(OUTCOME);
  await turns();
  expect([recorded, queues.held()]).toEqual([["a", "c", "b"], 0]);
});

test("a fault of ours: the attempt is put off in its record, and the others are recorded", async () => {
  const answer = (id: string) => (id === "a" ? Promise.reject(new Error("our own fault")) : delivered());
  const { stage, handle, recorded, reportHealth } = aStage(answer);
  await handle();
  expect(stage.unsent).toEqual([putOffByFault({ deliveryId: "a", partnerId: "p", attemptNo: 1 }, 0, 3_000)]);
  expect(recorded).toEqual(["b", "c"]);
  expect(reportHealth).toHaveBeenCalledTimes(2);
});

test.each([
  [3, 16_000],
  [4, 32_000],
  [5, 60_000],
])("a fault of ours, put off %i times before: again after %i ms", async (postponed, waitMs) => {
  const { handleOne, dueAgain } = aStage(() => Promise.reject(new Error("our own fault")));
  await handleOne({ postponed });
  expect(dueAgain()).toEqual([["a", 1_000 + waitMs]]);
});

test("an outcome that could not be stored is not reported, and the attempt is made again", async () => {
  const faults = [false];
  const { handle, sent, recorded, reportHealth } = aStage(delivered, {
    storing: () => faults.shift() ?? true,
  });
  await handle();
  expect(recorded).toEqual(["b", "c"]);
  expect(reportHealth).toHaveBeenCalledTimes(2);
  await handle();
  expect(sent()).toEqual(["a", "b", "c", "a"]);
});

test("a receiver that asks for a pause: in force before the next attempt is sent, which is put off", async () => {
  const answer = async () =>
    ({ ...OUTCOME, ok: false, statusCode: 503, errorKind: "HttpStatus", retryAfterMs: 60_000 }) as const;
  const { stage, handle, sent, paused, dueAgain } = aStage(answer, { maxPerEndpoint: 1 });
  stage.pauses.until = () => paused[0] ?? null;
  await handle();
  expect([sent(), paused]).toEqual([["a"], [61_000]]);
  expect(stage.made.map(({ set }) => set.nextAttemptAt?.getTime())).toEqual([61_000]);
  expect(dueAgain()).toEqual([
    ["b", 61_000],
    ["c", 61_000],
  ]);
});

test("a pause is stored before the outcome that waits for it", async () => {
  const order: string[] = [];
  const { stage, handleOne } = aStage(async () => ({ ...OUTCOME, ok: false, retryAfterMs: 60_000 }), {
    storing: () => order.push("outcome") > 0,
  });
  stage.pauses.pause = async () => {
    await turns();
    order.push("pause");
  };
  await handleOne();
  expect(order).toEqual(["pause", "outcome"]);
});

test("a failure during the pause that another attempt asked for: no retry before its end", async () => {
  const { stage, handleOne, paused } = aStage(async () => {
    stage.pauses.until = () => 90_000;
    return { ...OUTCOME, ok: false };
  });
  await handleOne();
  expect(stage.made.map(({ set }) => set.nextAttemptAt?.getTime())).toEqual([90_000]);
  expect(paused).toEqual([]);
});

test("a paused endpoint: its attempts are put off until then, and take no place in its queue", async () => {
  const { stage, handle, queues, dueAgain } = aStage(delivered);
  stage.pauses.until = () => 5_000;
  const offer = jest.spyOn(queues, "offer");
  await handle();
  expect(dueAgain()).toEqual(["a", "b", "c"].map((id) => [id, 5_000]));
  expect(offer).not.toHaveBeenCalled();
});

test("attempts whose event is gone are exhausted", async () => {
  const { stage, handle, sent, alarm } = aStage(delivered);
  stage.hasEvents = false;
  await handle();
  expect(sent()).toEqual([]);
  expect(stage.unsent.map(({ set }) => set.status)).toEqual(["Exhausted", "Exhausted", "Exhausted"]);
  expect(alarm).toHaveBeenCalledTimes(3);
});

test("an attempt with its content does not read it again", async () => {
  const { stage, run, untilDone, sent, reads } = aStage(delivered);
  stage.hasEvents = false;
  const content = { _id: "event of a", envelopeJson: "{}", traceparent: null };
  await run([{ delivery: delivery("a"), content }]);
  await untilDone();
  expect([sent(), reads()]).toEqual([["a"], 0]);
});

test("copies make one request each: of attempts under way, loaded together, or read before the record", async () => {
  const slow = Promise.withResolvers<AttemptOutcome>();
  const { stage, start, handle, untilDone, sent, recorded } = aStage(() => slow.promise);
  await Promise.all([start(), start()]);
  await start();
  slow.resolve(OUTCOME);
  await untilDone();
  // The record that the stage reads says Pending permanently, as one does that was read too early.
  await handle();
  const once = ["a", "b", "c"];
  expect([sent(), recorded, stage.unsent]).toEqual([once, once, []]);
});

test("a stop puts waiting attempts back into their records, due immediately", async () => {
  const first = Promise.withResolvers<AttemptOutcome>();
  const { start, queues, sent, dueAgain } = aStage(() => first.promise, { maxPerEndpoint: 1 });
  await start();
  const stopped = queues.stop();
  first.resolve(OUTCOME);
  await stopped;
  expect(sent()).toEqual(["a"]);
  expect(dueAgain()).toEqual([
    ["b", 1_000],
    ["c", 1_000],
  ]);
});

test("the registry is away for a moment: attempts are sent when it is back, and none is put off", async () => {
  const { stage, handle, sent } = aStage(delivered);
  stage.faults = 1;
  await handle();
  expect([sent(), stage.unsent]).toEqual([["a", "b", "c"], []]);
});

test("the registry is away: asked again after 100 ms, then less often, for a third of the lease", async () => {
  jest.useFakeTimers();
  try {
    const { stage, start, sent, warn } = aStage(delivered);
    stage.faults = Number.MAX_SAFE_INTEGER;
    const asked = () => Number.MAX_SAFE_INTEGER - stage.faults;
    const handled = start();
    const times = [0, 99, 1, 200, 400, 800, 1_600, 1_999, 1, 12_000, 1_999, 1];
    const counts: number[] = [];
    for (const ms of times) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(asked());
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 6, 7, 13, 13, 14]);
    await handled;
    expect([asked(), sent(), stage.unsent.length]).toEqual([14, [], 3]);
    expect(warn.mock.calls[0]).toEqual([{ err: expect.any(Error), attempts: 3 }, "attempts.waiting"]);
  } finally {
    jest.useRealTimers();
  }
});

test.each(["before", "while"])(
  "the registry is away and the process stops %s it is asked: attempts go back into their records",
  async (when) => {
    const { stage, start, stopping, sent, dueAgain } = aStage(delivered);
    stage.faults = Number.POSITIVE_INFINITY;
    const startedAt = performance.now();
    if (when === "before") stopping.abort();
    const handled = start();
    await turns();
    stopping.abort();
    await handled;
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(sent()).toEqual([]);
    expect(dueAgain()).toEqual(["a", "b", "c"].map((id) => [id, 2_000]));
  },
);

test("attempts of a partition that this process does not own go back into their records", async () => {
  const { stage, handle, sent, dueAgain } = aStage(delivered);
  stage.epoch = null;
  await handle();
  expect(sent()).toEqual([]);
  expect(dueAgain()).toEqual(["a", "b", "c"].map((id) => [id, 1_000]));
});

const NEW_URL = "https://new.example";
const MOVED = { ...ENDPOINT, url: NEW_URL };
const DISABLED = { ...ENDPOINT, status: "Disabled" } as const;

/** The endpoint takes one request at a time. The others wait behind the first for the given time. */
test.each([
  ["another process took the partition", { epoch: null }, 0, [], undefined],
  ["the partition changed its owner twice", { epoch: 2 }, 0, [], undefined],
  ["its endpoint moved", { endpoint: MOVED }, 1_001, [NEW_URL, NEW_URL], undefined],
  ["its endpoint moved within a second", { endpoint: MOVED }, 1_000, [ENDPOINT.url, ENDPOINT.url], undefined],
  ["its endpoint was disabled", { endpoint: DISABLED }, 2_000, [], "Exhausted"],
  ["a third of its lease passed", {}, 20_000, [ENDPOINT.url, ENDPOINT.url], undefined],
  ["more of its lease passed", {}, 20_001, [], undefined],
])(
  "an attempt that waited while %s: sent there, or back in its record",
  async (_, change, ms, urls, status) => {
    const first = Promise.withResolvers<AttemptOutcome>();
    const answer = (id: string) => (id === "a" ? first.promise : delivered());
    const { stage, start, untilDone, sent, requests, recorded, dueAgain } = aStage(answer, {
      maxPerEndpoint: 1,
    });
    await start();
    expect(sent()).toEqual(["a"]);
    stage.clock.at += ms;
    Object.assign(stage, change);
    first.resolve(OUTCOME);
    await untilDone();
    // The outcome of the attempt under way is recorded; its record takes or refuses it.
    expect(recorded[0]).toBe("a");
    expect(requests.slice(1).map(({ url }) => url)).toEqual(urls);
    expect(stage.unsent.map(({ set }) => set.status)).toEqual(urls.length > 0 ? [] : [status, status]);
    const now = status ? undefined : stage.clock.at;
    expect(dueAgain()).toEqual(urls.length > 0 ? [] : ["b", "c"].map((id) => [id, now]));
  },
);

test.each([
  ["a first attempt", null, false],
  ["a replay", "series", true],
])("%s: the request, the record and the report", async (_, replaySeries, isReplay) => {
  const { stage, handleOne, requests, reportHealth, metrics } = aStage(delivered);
  await handleOne({ replaySeries });
  expect(requests).toEqual([
    {
      ...{ deliveryId: "a", partnerId: "p", attemptNo: 1, url: ENDPOINT.url, secrets: ["secret"] },
      ...{ eventId: "event of a", eventType: "webhook.test", eventVersion: 1, isReplay, body: "{}" },
    },
  ]);
  expect(stage.made.map(({ set }) => [set.status, set.attemptCount])).toEqual([["Delivered", 1]]);
  expect(reportHealth.mock.calls).toEqual([[ENDPOINT, OUTCOME, false]]);
  expect(await metrics.text()).toMatch(/^pbo_delivery_attempts_total\{.*outcome="delivered".*\} 1$/m);
});

test("the last attempt fails: the report says that the delivery is exhausted", async () => {
  const { stage, handleOne, reportHealth } = aStage(async () => ({ ...OUTCOME, ok: false }));
  await handleOne({ attemptCount: 2 });
  expect(stage.made.map(({ set }) => set.status)).toEqual(["Exhausted"]);
  expect(reportHealth.mock.calls).toEqual([[ENDPOINT, expect.anything(), true]]);
});

test("attempts beyond the endpoint's room are postponed by a second", async () => {
  const hangs = Promise.withResolvers<AttemptOutcome>();
  const { run, untilDone, dueAgain } = aStage(() => hangs.promise, { maxPerEndpoint: 1 });
  // The first is sent and ten wait.
  await run(Array.from({ length: 12 }, (_, index) => ({ delivery: delivery(String(index)) })));
  expect(dueAgain()).toEqual([["11", 2_000]]);
  hangs.resolve(OUTCOME);
  await untilDone();
});

test("never rejects: a put-off that cannot be stored is tried once more", async () => {
  const stored: string[] = [];
  const faults = [new Error("away")];
  const { stage, start } = aStage(delivered, {
    async storing({ deliveryId }) {
      const fault = faults.shift();
      if (fault) throw fault;
      stored.push(deliveryId);
      return true;
    },
  });
  stage.epoch = null;
  await start();
  await turns();
  expect(stored.toSorted()).toEqual(["a", "b", "b", "c", "c"]);
});
