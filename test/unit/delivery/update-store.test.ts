import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import { createUpdateStore } from "../../../services/delivery/attempt/update-store.ts";
import { type DeliveryUpdate, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";
import { unavailable } from "../../../shared/errors.ts";
import { freeLane } from "../../../shared/lanes.ts";

const warn = jest.fn();
const logger = Object.assign(pino({ level: "silent" }), { warn });
const away = Object.assign(new Error("away"), { name: "MongoNotConnectedError" });
const update = (deliveryId: string) => putOff({ deliveryId, partnerId: "p", attemptNo: 1 }, 0);
const ids = (updates: readonly DeliveryUpdate[]) => updates.map(({ deliveryId }) => deliveryId);

const onWaiting = jest.fn();
const aStore = (apply: (updates: readonly DeliveryUpdate[]) => Promise<void>) =>
  createUpdateStore({ deliveries: { apply }, onWaiting, logger });

afterEach(() => {
  warn.mockClear();
  onWaiting.mockClear();
  jest.useRealTimers();
});

describe("createUpdateStore", () => {
  test("an update resolves when it is stored; then the owner of the partner is woken", async () => {
    let isStored = false;
    const { store } = aStore(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isStored = true;
    });
    expect([await store(update("1")), isStored]).toEqual([true, true]);
    expect(onWaiting.mock.calls).toEqual([["p", new Date(0)]]);
  });

  test.each([
    ["the database is away", away],
    ["the write was abandoned", unavailable("A part of the service")],
  ])("%s: the write is repeated until it succeeds", async (_, fault) => {
    const faults = [fault, fault];
    const { store } = aStore(async () => {
      const next = faults.shift();
      if (next) throw next;
    });
    expect([await store(update("1")), faults]).toEqual([true, []]);
  });

  test("tried again after 50 ms, then less often, at least every two seconds", async () => {
    jest.useFakeTimers();
    let tries = 0;
    const { store, stop } = aStore(async () => {
      tries += 1;
      throw away;
    });
    const stored = store(update("1"));
    const counts: number[] = [];
    for (const ms of [0, 49, 1, 100, 200, 400, 800, 1_600, 1_999, 1, 1_999, 1]) {
      await jest.advanceTimersByTimeAsync(ms);
      counts.push(tries);
    }
    expect(counts).toEqual([1, 1, 2, 3, 4, 5, 6, 7, 7, 8, 8, 9]);
    expect(warn).toHaveBeenLastCalledWith({ err: away, updates: 1 }, "updates.waiting");
    const stopped = stop();
    await jest.advanceTimersByTimeAsync(0);
    await stopped;
    expect(await stored).toBe(false);
    expect(warn).toHaveBeenLastCalledWith({ err: away, deliveryId: "1", attemptNo: 1 }, "attempt.not_stored");
  });

  test("a write has at most 500 updates, in a worker loop of its own; the next batch gathers for five milliseconds", async () => {
    jest.useFakeTimers();
    const sizes: number[] = [];
    const names: string[] = [];
    const lanes = {
      lane: (name: string) => {
        names.push(name);
        return freeLane;
      },
    };
    const apply = async (updates: readonly DeliveryUpdate[]) => void sizes.push(updates.length);
    const { store } = createUpdateStore({ deliveries: { apply }, onWaiting, logger, lanes });
    const all = Promise.all(Array.from({ length: 501 }, (_, index) => store(update(String(index)))));
    await jest.advanceTimersByTimeAsync(0);
    await jest.advanceTimersByTimeAsync(4);
    expect(sizes).toEqual([500]);
    await jest.advanceTimersByTimeAsync(1);
    expect([sizes, names]).toEqual([[500, 1], ["outcomes"]]);
    await all;
  });

  test("an update that cannot be written is not stored; the others of its batch and the next are stored", async () => {
    const stored: string[] = [];
    const { store } = aStore(async (updates) => {
      if (ids(updates).includes("2")) throw new Error("broken");
      stored.push(...ids(updates));
    });
    expect(await Promise.all(["1", "2", "3"].map((id) => store(update(id))))).toEqual([true, false, true]);
    await store(update("4"));
    expect(stored).toEqual(["1", "3", "4"]);
  });

  test("stop waits for the write under way", async () => {
    const written = Promise.withResolvers<void>();
    const { store, stop } = aStore(() => written.promise);
    const stored = store(update("1"));
    let isStopped = false;
    const stopped = stop().then(() => {
      isStopped = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isStopped).toBe(false);
    written.resolve();
    await Promise.all([stored, stopped]);
  });
});
