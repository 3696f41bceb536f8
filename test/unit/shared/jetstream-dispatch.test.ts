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
type TestMessage = StreamMessage & { verdict: Verdict; delayMs: number | undefined; extended: number };

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
    working: () => {
      message.extended += 1;
    },
    settled: () => message.verdict !== null,
    verdict: null,
    delayMs: undefined,
    extended: 0,
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

/** A handler whose batches stay open until the test ends them. */
function aGate() {
  const open: { batch: readonly StreamMessage[]; end(error?: Error): void }[] = [];
  const handler = (batch: readonly StreamMessage[]) =>
    new Promise<void>((resolve, reject) => {
      open.push({ batch, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { open, handler };
}

describe("dispatch", () => {
  test("messages that arrive together go as full batches, never more at once than allowed", async () => {
    const { open, handler } = aGate();
    const { dispatcher } = aDispatcher(handler);
    const messages = Array.from({ length: 8 }, () => aMessage());
    for (const message of messages) dispatcher.accept(message);
    await until(() => open.length === 2);
    expect(open.map(({ batch }) => batch.length)).toEqual([3, 3]);
    expect(dispatcher.held()).toBe(8);
    open[0]?.end();
    await until(() => open.length === 3);
    expect(open[2]?.batch.length).toBe(2);
    for (const { end } of open) end();
    await until(settled(messages));
    expect(messages.map(({ verdict }) => verdict)).toEqual(Array(8).fill("ack"));
    expect(dispatcher.held()).toBe(0);
  });

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

  test("a single message does not wait for others", async () => {
    const { open, handler } = aGate();
    const { dispatcher } = aDispatcher(handler);
    dispatcher.accept(aMessage());
    await until(() => open.length === 1);
    expect(open[0]?.batch.length).toBe(1);
    open[0]?.end();
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

  test("stop waits for work in hand and gives the rest back at once", async () => {
    const { open, handler } = aGate();
    const { dispatcher } = aDispatcher(handler, { parallelBatches: 1 });
    const messages = Array.from({ length: 5 }, () => aMessage());
    for (const message of messages) dispatcher.accept(message);
    await until(() => open.length === 1);
    let stopped = false;
    const stopping = dispatcher.stop().then(() => {
      stopped = true;
    });
    expect(messages.map(({ verdict }) => verdict)).toEqual([null, null, null, "nak", "nak"]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    open[0]?.end();
    await stopping;
    expect(messages.slice(0, 3).map(({ verdict }) => verdict)).toEqual(["ack", "ack", "ack"]);
    const late = aMessage();
    dispatcher.accept(late);
    expect(late.verdict).toBe("nak");
  });

  test("messages in hand and waiting are extended while their holder lives", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate", "Date"] });
    const { open, handler } = aGate();
    const { dispatcher } = aDispatcher(handler, { maxBatch: 1, parallelBatches: 1, ackWaitMs: 3_000 });
    const messages = [aMessage(), aMessage()];
    for (const message of messages) dispatcher.accept(message);
    await until(() => open.length === 1);
    jest.advanceTimersByTime(2_500);
    expect(messages.map(({ extended }) => extended)).toEqual([2, 2]);
    open[0]?.end();
    await until(() => open.length === 2);
    open[1]?.end();
    await until(settled(messages));
  });
});

describe("faults of ours", () => {
  test("the same batch is tried again in place, without costing a delivery", async () => {
    let tries = 0;
    const message = aMessage(10);
    const { dispatcher } = aDispatcher(async () => {
      tries += 1;
      if (tries < 3) throw away;
    });
    dispatcher.accept(message);
    await until(() => message.settled());
    expect([tries, message.verdict]).toEqual([3, "ack"]);
  });

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

  test("a stop ends the waiting and gives the batch back", async () => {
    let tries = 0;
    const message = aMessage();
    const { dispatcher } = aDispatcher(async () => {
      tries += 1;
      throw away;
    });
    dispatcher.accept(message);
    await until(() => tries === 1);
    await dispatcher.stop();
    expect(message.verdict).toBe("nak");
  });

  test("never make a message poison, however often it was delivered before", async () => {
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

  test.each([
    ["the 10th time", 10, new Error("bad"), "nak", 0],
    ["the 11th time", 11, new Error("bad"), "term", 1],
  ] as const)("failing alone %s", async (_, count, error, verdict, poisoned) => {
    const message = aMessage(count);
    const { dispatcher, poison } = aDispatcher(async () => {
      throw error;
    });
    dispatcher.accept(message);
    await until(() => message.settled());
    expect([message.verdict, poison.length]).toEqual([verdict, poisoned]);
  });

  test("that cannot be stored comes again instead of being given up", async () => {
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

  test.each([
    [1, 500],
    [2, 1_000],
    [6, 16_000],
    [7, 30_000],
    [10_000, 30_000],
  ])("after delivery %i a failed message waits %i ms", (count, expected) => {
    expect(nakDelayMs(count)).toBe(expected);
  });
});
