import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import {
  type BatchHandler,
  createDispatcher,
  nakDelayMs,
  takeBatch,
} from "../../../shared/jetstream/jetstream-dispatch.ts";
import type { StreamMessage } from "../../../shared/jetstream/jetstream-message.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

type Verdict = "ack" | "nak" | "term" | null;
type TestMessage = StreamMessage & { verdict: Verdict; delayMs: number | undefined };

let sequence = 0;
function aMessage(deliveryCount = 1): TestMessage {
  sequence += 1;
  const message: TestMessage = {
    subject: "s",
    id: `m${sequence}`,
    sequence,
    deliveryCount,
    header: () => null,
    text: () => "",
    ack: () => settle("ack"),
    nak: (delayMs) => settle("nak", delayMs),
    term: () => settle("term"),
    working: () => undefined,
    settled: () => message.verdict !== null,
    verdict: null,
    delayMs: undefined,
  };
  const settle = (verdict: Verdict, delayMs?: number) => {
    if (message.verdict !== null) return;
    message.verdict = verdict;
    message.delayMs = delayMs;
  };
  return message;
}

const away = new Error("away");
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  jest.useRealTimers();
  for (const stop of stops.splice(0)) await stop();
});

function aDispatcher(handler: BatchHandler, options: Partial<Parameters<typeof createDispatcher>[0]> = {}) {
  const poison: StreamMessage[] = [];
  const dispatcher = createDispatcher({
    maxBatch: 3,
    parallelBatches: 2,
    onPoison: async (message) => void poison.push(message),
    consumer: "test",
    ackWaitMs: 30_000,
    handler,
    isPassing: (error) => error === away,
    onRoom: () => undefined,
    logger: pino({ level: "silent" }),
    metrics: createMetrics("test"),
    ...options,
  });
  stops.push(dispatcher.stop);
  return { dispatcher, poison };
}

const settled = (messages: TestMessage[]) => () => messages.every((message) => message.settled());
async function until(condition: () => boolean) {
  const deadline = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("not in time");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("dispatch", () => {
  test("a message after finished ones is handled; each finished batch reports its room", async () => {
    const onRoom = jest.fn();
    const { dispatcher } = aDispatcher(async () => undefined, { onRoom });
    for (const _ of [1, 2]) {
      onRoom.mockClear();
      const message = aMessage();
      dispatcher.accept(message);
      await until(settled([message]));
      await until(() => onRoom.mock.calls.length === 1);
    }
  });

  test("delivered twenty times: handled once more; one time more, and it is given up unseen", async () => {
    const seen: StreamMessage[] = [];
    const { dispatcher, poison } = aDispatcher(async (batch) => void seen.push(...batch));
    const [last, hopeless] = [aMessage(20), aMessage(21)];
    for (const message of [last, hopeless]) dispatcher.accept(message);
    await until(settled([last, hopeless]));
    expect([seen, poison]).toEqual([[last], [hopeless]]);
    expect([last.verdict, hopeless.verdict]).toEqual(["ack", "term"]);
  });

  test("a fault of ours: told, tried again after 100 ms, then less often, for a minute; then returned", async () => {
    jest.useFakeTimers();
    let tries = 0;
    const warn = jest.fn();
    const { dispatcher } = aDispatcher(
      async () => {
        tries += 1;
        throw away;
      },
      { logger: Object.assign(pino({ level: "silent" }), { warn }) },
    );
    const message = aMessage();
    dispatcher.accept(message);
    const counts: number[] = [];
    for (const ms of [0, 99, 1, 200, 400, 800, 1_600, 1_999, 1]) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(tries);
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 6, 7]);
    expect(warn).toHaveBeenLastCalledWith({ err: away, consumer: "test", messages: 1 }, "consume.waiting");
    await jest.advanceTimersByTimeAsync(52_000);
    expect(message.verdict).toBeNull();
    await jest.advanceTimersByTimeAsync(4_000);
    expect(message.verdict).toBe("nak");
    await dispatcher.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  test("a message that the handler acknowledged itself stays acknowledged", async () => {
    const messages = [aMessage(), aMessage(), aMessage()];
    const { dispatcher } = aDispatcher(async ([first, second]) => {
      first?.term();
      second?.nak(7);
    });
    for (const message of messages) dispatcher.accept(message);
    await until(settled(messages));
    expect(messages.map(({ verdict }) => verdict)).toEqual(["term", "nak", "ack"]);
  });

  test("a failed batch comes again later, the delay rising with each delivery", async () => {
    const messages = [aMessage(1), aMessage(3)];
    const { dispatcher, poison } = aDispatcher(async () => {
      throw new Error("bad");
    });
    for (const message of messages) dispatcher.accept(message);
    await until(settled(messages));
    expect(messages.map(({ verdict, delayMs }) => [verdict, delayMs])).toEqual([
      ["nak", nakDelayMs(1)],
      ["nak", nakDelayMs(3)],
    ]);
    expect(poison).toEqual([]);
  });
});

describe("faults of ours", () => {
  test("the second try leaves out what was settled in the first", async () => {
    const seen: number[] = [];
    const messages = [aMessage(), aMessage()];
    const { dispatcher } = aDispatcher(async (batch) => {
      seen.push(batch.length);
      batch[0]?.ack();
      if (seen.length === 1) throw away;
    });
    for (const message of messages) dispatcher.accept(message);
    await until(settled(messages));
    expect(seen).toEqual([2, 1]);
  });

  test("nothing left to handle after the first try: no second one", async () => {
    let calls = 0;
    const { dispatcher } = aDispatcher(async (batch) => {
      calls += 1;
      for (const message of batch) message.ack();
      throw away;
    });
    dispatcher.accept(aMessage());
    await until(() => dispatcher.held() === 0);
    expect(calls).toBe(1);
  });

  test("a stop ends the waiting and returns the batch; no such fault makes a message poison", async () => {
    let tries = 0;
    const message = aMessage(11);
    const { dispatcher, poison } = aDispatcher(async () => {
      tries += 1;
      throw away;
    });
    dispatcher.accept(message);
    await until(() => tries === 1);
    await dispatcher.stop();
    expect([message.verdict, poison]).toEqual(["nak", []]);
  });
});

describe("poison", () => {
  test("a message delivered often is handled alone, so that others do not fail with it", () => {
    const good = [aMessage(1), aMessage(5)];
    const bad = [aMessage(6), aMessage(7)];
    const waiting = [...good, ...bad, aMessage(1)];
    expect(takeBatch(waiting, 10)).toEqual(good);
    expect(takeBatch(waiting, 10)).toEqual([bad[0]]);
    expect(takeBatch(waiting, 10)).toEqual([bad[1]]);
    expect(takeBatch(waiting, 10).length).toBe(1);
    expect(waiting).toEqual([]);
  });

  test("poison that cannot be stored is redelivered instead of being dropped", async () => {
    const message = aMessage(11);
    const { dispatcher } = aDispatcher(
      async () => {
        throw new Error("bad");
      },
      {
        onPoison: async () => {
          throw away;
        },
      },
    );
    dispatcher.accept(message);
    await until(() => message.settled());
    expect([message.verdict, message.delayMs]).toEqual(["nak", 30_000]);
  });

  test("a stop waits until poison is stored", async () => {
    const stored = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const onPoison = () => {
      asked.resolve();
      return stored.promise;
    };
    const { dispatcher } = aDispatcher(() => Promise.reject(new Error("broken")), { onPoison });
    const message = aMessage(11);
    dispatcher.accept(message);
    await asked.promise;
    const stopped = dispatcher.stop().then(() => message.verdict);
    setImmediate(stored.resolve);
    expect(await stopped).toBe("term");
  });
});
