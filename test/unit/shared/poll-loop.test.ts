import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { freeLane } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";

afterEach(() => {
  jest.useRealTimers();
});

function aLoop(
  round: (isStopping: () => boolean) => Promise<boolean>,
  onError: () => void = () => undefined,
) {
  jest.useFakeTimers();
  return createPollLoop({ lane: freeLane, round, everyMs: 1_000, busyPauseMs: () => 10, onError });
}

describe("createPollLoop", () => {
  test("polls; sooner when there was work", async () => {
    const found = [true, false, false];
    let rounds = 0;
    const loop = aLoop(async () => {
      rounds += 1;
      return found.shift() ?? false;
    });
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(10);
    expect(rounds).toBe(2);
    await jest.advanceTimersByTimeAsync(999);
    expect(rounds).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(3);
    await loop.stop();
    await jest.advanceTimersByTimeAsync(10_000);
    expect(rounds).toBe(3);
  });

  test("before it is started it cannot be woken; a time that has not come is waited for", async () => {
    let rounds = 0;
    const loop = aLoop(async () => {
      rounds += 1;
      return false;
    });
    loop.wake();
    await jest.advanceTimersByTimeAsync(0);
    expect(rounds).toBe(0);
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    loop.wake(1);
    await jest.advanceTimersByTimeAsync(0);
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(2);
    await loop.stop();
  });

  test("a stop waits for the round under way; after one that found work the next follows in 50 ms", async () => {
    jest.useFakeTimers();
    const gates = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    let rounds = 0;
    const round = () => {
      rounds += 1;
      return gates[rounds - 1]?.promise ?? Promise.resolve(false);
    };
    const loop = createPollLoop({ lane: freeLane, round, everyMs: 1_000, onError: () => undefined });
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    gates[0]?.resolve(true);
    await jest.advanceTimersByTimeAsync(49);
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(2);
    let isStopped = false;
    const stopped = loop.stop().then(() => {
      isStopped = true;
    });
    await jest.advanceTimersByTimeAsync(0);
    expect(isStopped).toBe(false);
    gates[1]?.resolve(true);
    await stopped;
  });

  test("the pause can be another one each time; woken with a time, it is no longer than that", async () => {
    jest.useFakeTimers();
    let [rounds, everyMs] = [0, 1_000];
    const round = async () => {
      rounds += 1;
    };
    const onError = () => undefined;
    const loop = createPollLoop({ lane: freeLane, round, everyMs: () => everyMs, onError });
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    everyMs = 5_000;
    await jest.advanceTimersByTimeAsync(1_000);
    expect(rounds).toBe(2);
    loop.wake(3_000);
    loop.wake(4_000);
    await jest.advanceTimersByTimeAsync(2_999);
    expect(rounds).toBe(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(3);
    await jest.advanceTimersByTimeAsync(4_999);
    expect(rounds).toBe(3);
    await loop.stop();
  });

  test("woken with a time during a round: the next one is no later than that", async () => {
    let rounds = 0;
    const loop = aLoop(async () => {
      rounds += 1;
      await Promise.resolve();
      if (rounds === 1) loop.wake(300);
      return false;
    });
    loop.start();
    await jest.advanceTimersByTimeAsync(299);
    expect(rounds).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(2);
    await loop.stop();
  });

  test("a round that fails is told and does not end it", async () => {
    let [rounds, faults] = [0, 0];
    const loop = aLoop(
      async () => {
        rounds += 1;
        throw new Error("no database");
      },
      () => {
        faults += 1;
      },
    );
    loop.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect([rounds, faults]).toEqual([3, 3]);
    await loop.stop();
  });

  test("a stop waits for the round under way, which can see it", async () => {
    const seen: boolean[] = [];
    const loop = aLoop(async (isStopping) => {
      seen.push(isStopping());
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push(isStopping());
      return true;
    });
    loop.start();
    await jest.advanceTimersByTimeAsync(0);
    const stopped = loop.stop();
    await jest.advanceTimersByTimeAsync(5_000);
    await stopped;
    expect(seen).toEqual([false, true]);
  });

  test("an expensive round runs less often, unless it failed", async () => {
    let [rounds, fails] = [0, false];
    const loop = aLoop(async () => {
      rounds += 1;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      if (fails) throw new Error("no database");
      return false;
    });
    loop.start();
    await jest.advanceTimersByTimeAsync(1_000 + 1_999);
    expect(rounds).toBe(1);
    fails = true;
    await jest.advanceTimersByTimeAsync(1 + 1_000 + 1_000);
    expect(rounds).toBe(3);
    const stopped = loop.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    await stopped;
  });

  test("can begin with a pause", async () => {
    let rounds = 0;
    const loop = aLoop(async () => {
      rounds += 1;
      return false;
    });
    loop.start(500);
    await jest.advanceTimersByTimeAsync(499);
    expect(rounds).toBe(0);
    await jest.advanceTimersByTimeAsync(1);
    expect(rounds).toBe(1);
    await loop.stop();
  });

  test("a wake runs it at once; during a round, soon after it; never two at once", async () => {
    let [running, most, rounds] = [0, 0, 0];
    const loop = aLoop(async () => {
      running += 1;
      rounds += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running -= 1;
      return false;
    });
    loop.start();
    await jest.advanceTimersByTimeAsync(100);
    loop.wake();
    loop.wake();
    await jest.advanceTimersByTimeAsync(30);
    expect([rounds, most]).toEqual([3, 1]);
    await loop.stop();
    loop.wake();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(rounds).toBe(3);
  });
});
