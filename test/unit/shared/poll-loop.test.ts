import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { freeLane } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

type Options = Parameters<typeof createPollLoop>[0];

/** A loop that counts its rounds and its faults. */
function aLoop(round: Options["round"] = async () => false, options: Partial<Options> = {}) {
  const count = { rounds: 0, faults: 0 };
  const loop = createPollLoop({
    lane: freeLane,
    everyMs: 1_000,
    busyPauseMs: () => 10,
    onError() {
      count.faults += 1;
    },
    ...options,
    round(isStopping) {
      count.rounds += 1;
      return round(isStopping);
    },
  });
  return { ...loop, count };
}

describe("createPollLoop", () => {
  test("polls; sooner when there was work; never after a stop", async () => {
    const found = [true, false, false];
    const { start, stop, wake, count } = aLoop(async () => found.shift());
    start();
    const seen: number[] = [];
    for (const ms of [0, 10, 999, 1]) {
      await pass(ms);
      seen.push(count.rounds);
    }
    expect(seen).toEqual([1, 2, 2, 3]);
    await stop();
    wake();
    await pass(10_000);
    expect(count.rounds).toBe(3);
  });

  test("before it is started it cannot be woken; a time that has not come is waited for", async () => {
    const { start, stop, wake, count } = aLoop();
    wake();
    await pass();
    expect(count.rounds).toBe(0);
    start();
    await pass();
    wake(1);
    await pass();
    expect(count.rounds).toBe(1);
    await pass(1);
    expect(count.rounds).toBe(2);
    await stop();
  });

  test("the pause can be another one each time; woken with a time, it is no longer than that", async () => {
    let everyMs = 1_000;
    const { start, stop, wake, count } = aLoop(undefined, { everyMs: () => everyMs });
    start();
    await pass();
    everyMs = 5_000;
    await pass(1_000);
    expect(count.rounds).toBe(2);
    wake(3_000);
    wake(4_000);
    await pass(2_999);
    expect(count.rounds).toBe(2);
    await pass(1);
    expect(count.rounds).toBe(3);
    await pass(4_999);
    expect(count.rounds).toBe(3);
    await stop();
  });

  test("woken with a time during a round: the next one is no later than that", async () => {
    const loop = aLoop(async () => {
      await Promise.resolve();
      if (loop.count.rounds === 1) loop.wake(300);
    });
    loop.start();
    await pass(299);
    expect(loop.count.rounds).toBe(1);
    await pass(1);
    expect(loop.count.rounds).toBe(2);
    await loop.stop();
  });

  test("a round that fails is reported and does not end it", async () => {
    const { start, stop, count } = aLoop(async () => {
      throw new Error("no database");
    });
    start();
    await pass(2_000);
    expect(count).toEqual({ rounds: 3, faults: 3 });
    await stop();
  });

  test("a stop waits for the round under way, which can see it", async () => {
    const seen: boolean[] = [];
    const { start, stop } = aLoop(async (isStopping) => {
      seen.push(isStopping());
      await wait(5);
      seen.push(isStopping());
      return true;
    });
    start();
    await pass();
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await pass(4);
    expect(isStopped).toBe(false);
    await pass(5_000);
    await stopped;
    expect(seen).toEqual([false, true]);
  });

  test("an expensive round runs less often, unless it failed", async () => {
    let fails = false;
    const { start, stop, count } = aLoop(async () => {
      await wait(1_000);
      if (fails) throw new Error("no database");
    });
    start();
    await pass(1_000 + 1_999);
    expect(count.rounds).toBe(1);
    fails = true;
    await pass(1 + 1_000 + 1_000);
    expect(count.rounds).toBe(3);
    const stopped = stop();
    await pass(1_000);
    await stopped;
  });

  test("can begin with a pause", async () => {
    const { start, stop, count } = aLoop();
    start(500);
    await pass(499);
    expect(count.rounds).toBe(0);
    await pass(1);
    expect(count.rounds).toBe(1);
    await stop();
  });

  test("a wake runs it immediately; during a round, soon after it; never two at once", async () => {
    let [running, most] = [0, 0];
    const { start, stop, wake, count } = aLoop(async () => {
      running += 1;
      most = Math.max(most, running);
      await wait(5);
      running -= 1;
    });
    start();
    await pass(100);
    wake();
    wake();
    await pass(30);
    expect([count.rounds, most]).toEqual([3, 1]);
    await stop();
  });
});
