import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { type BatcherOptions, createBatcher } from "../../../shared/batcher.ts";

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const turn = () => new Promise((resolve) => setImmediate(resolve));

afterEach(() => {
  jest.useRealTimers();
});

/** Records its batches; each item's answer is its double. */
function aBatcher(options: Partial<BatcherOptions<number, number>> = {}) {
  const batches: number[][] = [];
  const doubled = async (items: readonly number[]) => {
    batches.push([...items]);
    return (await options.run?.(items)) ?? items.map((item) => 2 * item);
  };
  return { batches, ...createBatcher({ maxBatch: 10, maxInFlight: 2, ...options, run: doubled }) };
}

describe("createBatcher", () => {
  test("simultaneous items share a batch, and each gets its own answer", async () => {
    const { add, batches } = aBatcher();
    expect(await Promise.all(numbers(10).map(add))).toEqual(numbers(10).map((item) => 2 * item));
    expect(batches).toEqual([numbers(10)]);
  });

  test("many at once: bounded batches, bounded in flight, nothing lost", async () => {
    let [inFlight, most] = [0, 0];
    const { add, batches } = aBatcher({
      async run(items) {
        inFlight += 1;
        most = Math.max(most, inFlight);
        for (const _ of numbers(5)) await turn();
        inFlight -= 1;
        return items.map((item) => 2 * item);
      },
    });
    expect(await Promise.all(numbers(1_000).map(add))).toEqual(numbers(1_000).map((item) => 2 * item));
    expect(Math.max(...batches.map(({ length }) => length))).toBe(10);
    expect(most).toBe(2);
  });

  test("a batch is bounded by weight too; a single one that is too heavy goes alone", async () => {
    const { add, batches } = aBatcher({ weightOf: (item) => item, maxWeight: 10 });
    await Promise.all([4, 6, 1, 50, 9].map(add));
    expect(batches).toEqual([[4, 6], [1], [50], [9]]);
  });

  test("gathering in the microtask: what is added now goes before anything else of the event loop", async () => {
    const { add, batches } = aBatcher({ gatherIn: "microtask" });
    const order: string[] = [];
    setImmediate(() => order.push("turn"));
    const answers = [1, 2].map((item) => add(item).then(() => order.push("answer")));
    await Promise.all([...answers, turn()]);
    expect(order).toEqual(["answer", "answer", "turn"]);
    expect(batches).toEqual([[1, 2]]);
  });

  test("an Error among the answers fails its own item only", async () => {
    const refused = new Error("duplicate");
    const { add } = aBatcher({ run: async (items) => items.map((item) => (item === 1 ? refused : item)) });
    const [zero, one, two] = await Promise.allSettled([add(0), add(1), add(2)]);
    expect([zero, two].map((result) => result?.status)).toEqual(["fulfilled", "fulfilled"]);
    expect(one).toEqual({ status: "rejected", reason: refused });
  });

  test("a batch that fails fails for its items only, and later ones go on", async () => {
    let calls = 0;
    const { add } = aBatcher({
      async run(items) {
        calls += 1;
        if (calls === 1) throw new Error("away");
        return items.map((item) => item);
      },
    });
    const first = await Promise.allSettled([add(1), add(2)]);
    expect(first.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await add(3)).toBe(3);
  });

  test("a batch answered only in part fails as a whole: nobody gets another's answer, nobody hangs", async () => {
    const { add } = aBatcher({ run: async () => [1] });
    for (const result of await Promise.allSettled([add(1), add(2)]))
      expect(result).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("in part") },
      });
  });

  test("where one item fails the others, each is run alone", async () => {
    const { add, batches } = aBatcher({
      isOneItemsFault: () => true,
      async run(items) {
        if (items.includes(1)) throw new Error("cannot be written");
        return items.map((item) => item);
      },
    });
    const results = await Promise.allSettled([add(0), add(1), add(2)]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(batches).toEqual([[0, 1, 2], [0], [1], [2]]);
  });

  /** Its batches end when the test says so. */
  function withGates(options: Partial<BatcherOptions<number, number>>) {
    const gates = new Map<number, () => void>();
    const run = (items: readonly number[]) =>
      new Promise<number[]>((resolve) => {
        for (const item of items) gates.set(item, () => resolve(items.map((each) => 2 * each)));
      });
    const batcher = aBatcher({ maxInFlight: 1, ...options, run });
    for (const add of [batcher.add]) batcher.add = (item) => add(item).catch(() => -1);
    return { ...batcher, end: (item: number) => gates.get(item)?.() };
  }
  const soon = async () => {
    for (const _ of numbers(20)) await Promise.resolve();
  };

  test("gathers only behind a batch: one that comes later goes at once; what comes meanwhile is with the others", async () => {
    jest.useFakeTimers();
    const { add, batches, end } = withGates({ gatherMs: 1_000 });
    void add(1);
    await jest.advanceTimersByTimeAsync(0);
    end(1);
    await soon();
    void add(2);
    await jest.advanceTimersByTimeAsync(0);
    expect(batches).toEqual([[1], [2]]);
    void add(3);
    end(2);
    await jest.advanceTimersByTimeAsync(500);
    void add(4);
    await jest.advanceTimersByTimeAsync(499);
    expect(batches).toEqual([[1], [2]]);
    await jest.advanceTimersByTimeAsync(1);
    expect(batches).toEqual([[1], [2], [3, 4]]);
  });

  test.each([
    ["without a time to gather", { gatherMs: 0 }],
    ["full", { gatherMs: 1_000, maxBatch: 2 }],
  ])("%s: what waits goes as soon as the batch before it has ended", async (_, options) => {
    jest.useFakeTimers();
    const { add, batches, end } = withGates(options);
    void add(1);
    await jest.advanceTimersByTimeAsync(0);
    for (const item of [2, 3]) void add(item);
    end(1);
    await soon();
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test("all that gathered are refused meanwhile: nothing is run", async () => {
    jest.useFakeTimers();
    const queue = { maxWaiting: 9, maxWaitMs: 100, refusal: () => new Error("refused") };
    const { add, batches, end } = withGates({ gatherMs: 1_000, queue });
    void add(1);
    await jest.advanceTimersByTimeAsync(0);
    void add(2);
    await jest.advanceTimersByTimeAsync(1);
    end(1);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(batches).toEqual([[1]]);
  });

  test("a stalled batch that ends gives its place to nobody, because another has it; drain waits for both", async () => {
    jest.useFakeTimers();
    const { add, batches, drain, end } = withGates({ maxBatch: 1, stall: { afterMs: 100, most: 1 } });
    for (const item of [1, 2, 3]) void add(item);
    await jest.advanceTimersByTimeAsync(150);
    expect(batches).toEqual([[1], [2]]);
    end(1);
    await soon();
    expect(batches).toEqual([[1], [2]]);
    end(2);
    await soon();
    expect(batches).toEqual([[1], [2], [3]]);
    void add(4);
    await jest.advanceTimersByTimeAsync(150);
    expect(batches).toEqual([[1], [2], [3], [4]]);
    let isDrained = false;
    const drained = drain().then(() => {
      isDrained = true;
    });
    await soon();
    expect(isDrained).toBe(false);
    end(3);
    end(4);
    await drained;
  });

  test("drain waits for what waits and what is under way", async () => {
    const done: number[] = [];
    const { add, drain } = aBatcher({
      maxBatch: 1,
      maxInFlight: 1,
      async run(items) {
        await turn();
        done.push(...items);
        return items.map((item) => item);
      },
    });
    for (const item of numbers(5)) void add(item);
    await drain();
    expect(done).toEqual(numbers(5));
  });
});

describe("a bounded queue", () => {
  const never = new Promise<never>(() => undefined);
  const queue = { maxWaiting: 3, maxWaitMs: 2_000, refusal: () => new Error("refused") };

  test("items that waited too long are refused in order; items in flight are not", async () => {
    jest.useFakeTimers();
    const { add } = aBatcher({ maxBatch: 1, maxInFlight: 1, queue, run: () => never });
    const settled: string[] = [];
    const watch = (name: string, work: Promise<unknown>) =>
      work.catch((error) => settled.push(`${name} ${error.message}`));
    void watch("running", add(1));
    await jest.advanceTimersByTimeAsync(1);
    void watch("first", add(2));
    await jest.advanceTimersByTimeAsync(1_000);
    void watch("second", add(3));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(settled).toEqual(["first refused"]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(settled).toEqual(["first refused", "second refused"]);
  });

  test("more than may wait are refused at once", async () => {
    const { add } = aBatcher({ maxBatch: 1, maxInFlight: 1, queue, run: () => never });
    for (const item of numbers(3)) void add(item).catch(() => undefined);
    await expect(add(4)).rejects.toThrow("refused");
  });
});
