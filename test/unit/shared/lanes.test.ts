import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createLanes } from "../../../shared/lanes.ts";

const abandoned: unknown[] = [];
const aSet = () => createLanes({ onAbandoned: (lane) => void abandoned.push(lane) });
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
  abandoned.length = 0;
});
afterEach(() => void jest.useRealTimers());

const abandonedBy = async (work: Promise<unknown>, afterMs: number) => {
  const outcome = expect(work).rejects.toMatchObject({ type: "Service.Unavailable" });
  await jest.advanceTimersByTimeAsync(afterMs);
  await outcome;
};

describe("a lane", () => {
  test("gives the answer and the fault of work that ends", async () => {
    const lane = aSet().lane("due", 100);
    await expect(lane(async () => 7)).resolves.toBe(7);
    await expect(lane(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(jest.getTimerCount()).toBe(0);
  });

  test("abandons work that does not end, and says how often in a row", async () => {
    const lanes = aSet();
    const lane = lanes.lane("due", 100);
    await abandonedBy(lane(never), 100);
    await abandonedBy(lane(never), 100);
    expect(abandoned).toEqual([
      { name: "due", withinMs: 100, times: 1 },
      { name: "due", withinMs: 100, times: 2 },
    ]);
    await lane(async () => undefined);
    await abandonedBy(lane(never), 100);
    expect(abandoned[2]).toMatchObject({ times: 1 });
  });

  test("is stuck after three in a row, until something of it ends", async () => {
    const lanes = aSet();
    const [due, other] = [lanes.lane("due", 100), lanes.lane("other", 100)];
    let end = () => {};
    const slow = due(() => new Promise<void>((resolve) => (end = resolve)));
    await abandonedBy(slow, 100);
    expect(lanes.late()).toEqual(["due"]);
    await abandonedBy(due(never), 100);
    expect(lanes.stuck()).toEqual([]);
    await abandonedBy(due(never), 100);
    await other(async () => undefined);
    expect(lanes.stuck()).toEqual(["due"]);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect([lanes.stuck(), lanes.late()]).toEqual([[], []]);
  });
});
