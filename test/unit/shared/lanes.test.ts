import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { createLanes } from "../../../shared/lanes.ts";

const logged: string[] = [];
const logger = pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) });
const counted: unknown[] = [];
const metrics = { increment: (name: string, labels: unknown) => void counted.push([name, labels]) };
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  jest.useFakeTimers();
  logged.length = 0;
  counted.length = 0;
});
afterEach(() => void jest.useRealTimers());

const abandonedBy = async (work: Promise<unknown>, afterMs: number) => {
  const outcome = expect(work).rejects.toMatchObject({ type: "Service.Unavailable" });
  await jest.advanceTimersByTimeAsync(afterMs);
  await outcome;
};

describe("a lane", () => {
  test("gives the answer and the fault of work that ends", async () => {
    const lane = createLanes({ logger, metrics }).lane("due", 100);
    await expect(lane(async () => 7)).resolves.toBe(7);
    await expect(lane(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(jest.getTimerCount()).toBe(0);
  });

  test("abandons work that does not end, counts it, and logs it once until it moves again", async () => {
    const lanes = createLanes({ logger, metrics });
    const lane = lanes.lane("due", 100);
    await abandonedBy(lane(never), 100);
    await abandonedBy(lane(never), 100);
    expect(logged).toEqual(["lane.abandoned"]);
    expect(counted).toEqual([
      ["pbo_lane_abandoned_total", { lane: "due" }],
      ["pbo_lane_abandoned_total", { lane: "due" }],
    ]);
    await lane(async () => undefined);
    await abandonedBy(lane(never), 100);
    expect(logged).toHaveLength(2);
  });

  test("is stuck after three in a row, until something of it ends", async () => {
    const lanes = createLanes({ logger, metrics });
    const [due, other] = [lanes.lane("due", 100), lanes.lane("other", 100)];
    let end = () => {};
    const slow = due(() => new Promise<void>((resolve) => (end = resolve)));
    await abandonedBy(slow, 100);
    await abandonedBy(due(never), 100);
    expect(lanes.stuck()).toEqual([]);
    await abandonedBy(due(never), 100);
    await other(async () => undefined);
    expect(lanes.stuck()).toEqual(["due"]);
    end();
    await jest.advanceTimersByTimeAsync(0);
    expect(lanes.stuck()).toEqual([]);
  });
});
