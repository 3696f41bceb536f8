import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createPulse } from "../../../shared/process/pulse.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A database that can go away, and work that may or may not write to it. */
function aPulse({ isWorking = false } = {}) {
  const world = { isAway: false, isSilent: false, isWorking, beats: 0, provedAt: Number.NEGATIVE_INFINITY };
  const pulse = createPulse(
    async () => {
      world.beats += 1;
      if (world.isSilent) await new Promise(() => undefined);
      if (world.isAway) throw new Error("away");
    },
    () => world.provedAt,
  );
  const work = setInterval(() => {
    if (world.isWorking) world.provedAt = performance.now();
  }, 2_500);
  const stop = () => {
    clearInterval(work);
    return pulse.stop();
  };
  return { ...pulse, stop, world };
}

describe("createPulse", () => {
  test("beats every three seconds; readiness follows the last beat", async () => {
    const { start, check, stop, world } = aPulse();
    start();
    await jest.advanceTimersByTimeAsync(30_000);
    expect(world.beats).toBe(11);
    expect(check).not.toThrow();
    world.isAway = true;
    await jest.advanceTimersByTimeAsync(3_000);
    expect(check).toThrow("away");
    world.isAway = false;
    await jest.advanceTimersByTimeAsync(3_000);
    expect(check).not.toThrow();
    await stop();
  });

  test("work that comes back often enough is the beat: no other is made", async () => {
    const { start, check, stop, world } = aPulse({ isWorking: true });
    await jest.advanceTimersByTimeAsync(2_500);
    start();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(world.beats).toBe(0);
    expect(check).not.toThrow();
    await stop();
  });

  test("work that comes back no more: what is silent shows as soon as without it", async () => {
    const { start, check, stop, world } = aPulse({ isWorking: true });
    start();
    await jest.advanceTimersByTimeAsync(10_000);
    world.isWorking = false;
    world.isSilent = true;
    await jest.advanceTimersByTimeAsync(7_000);
    expect(check).toThrow();
    world.isWorking = true;
    await jest.advanceTimersByTimeAsync(2_500);
    expect(check).not.toThrow();
    await stop();
  });
});
