import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { createDueLoop } from "../../../services/delivery/due/due-loop.ts";

afterEach(() => {
  jest.useRealTimers();
});

function aLoop(round: () => Promise<boolean>) {
  jest.useFakeTimers();
  return createDueLoop({ round, pollMs: 1_000, pauseMs: () => 10, logger: pino({ level: "silent" }) });
}

describe("due loop", () => {
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

  test("a round that fails does not end it", async () => {
    let rounds = 0;
    const loop = aLoop(async () => {
      rounds += 1;
      throw new Error("no database");
    });
    loop.start();
    await jest.advanceTimersByTimeAsync(2_000);
    expect(rounds).toBe(3);
    await loop.stop();
  });

  test("a kick runs it at once; during a round, soon after it; never two at once", async () => {
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
    loop.kick();
    loop.kick();
    await jest.advanceTimersByTimeAsync(30);
    expect([rounds, most]).toEqual([3, 1]);
    await loop.stop();
    loop.kick();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(rounds).toBe(3);
  });
});
