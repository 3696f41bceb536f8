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

const aStore = (apply: (updates: readonly DeliveryUpdate[]) => Promise<void>) =>
  createUpdateStore({ deliveries: { apply }, logger });

afterEach(() => {
  warn.mockClear();
  jest.useRealTimers();
});

describe("createUpdateStore", () => {
  test("simultaneous updates are one write; updates during it are the next write", async () => {
    const written: string[][] = [];
    const first = Promise.withResolvers<void>();
    const { store } = aStore(async (updates) => {
      written.push(ids(updates));
      if (written.length === 1) await first.promise;
    });
    const early = [store(update("1")), store(update("2"))];
    while (written.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const late = [store(update("3")), store(update("4"))];
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(written).toHaveLength(1);
    first.resolve();
    await Promise.all([...early, ...late]);
    expect(written).toEqual([
      ["1", "2"],
      ["3", "4"],
    ]);
  });

  test("resolves only when the update is stored", async () => {
    let isStored = false;
    const { store } = aStore(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isStored = true;
    });
    await store(update("1"));
    expect(isStored).toBe(true);
  });

  test("the database is away: tried again until it is back", async () => {
    let tries = 0;
    const { store } = aStore(async () => {
      tries += 1;
      if (tries < 3) throw away;
    });
    await store(update("1"));
    expect(tries).toBe(3);
  });

  test("a write that was abandoned: made again", async () => {
    const faults = [unavailable("A part of the service")];
    const { store } = aStore(async () => {
      const fault = faults.shift();
      if (fault) throw fault;
    });
    await store(update("1"));
    expect(faults).toEqual([]);
  });

  test("tried again after 50 ms, then less often, at least every two seconds", async () => {
    jest.useFakeTimers();
    let tries = 0;
    const { store, stop } = aStore(async () => {
      tries += 1;
      throw away;
    });
    const stored = store(update("1")).catch((error: unknown) => error);
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
    expect(await stored).toBe(away);
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
    const { store } = createUpdateStore({ deliveries: { apply }, logger, lanes });
    const all = Promise.all(Array.from({ length: 501 }, (_, index) => store(update(String(index)))));
    await jest.advanceTimersByTimeAsync(0);
    await jest.advanceTimersByTimeAsync(4);
    expect(sizes).toEqual([500]);
    await jest.advanceTimersByTimeAsync(1);
    expect([sizes, names]).toEqual([[500, 1], ["outcomes"]]);
    await all;
  });

  test("an update that cannot be written is rejected; the others of its batch and the next are stored", async () => {
    const stored: string[] = [];
    const { store } = aStore(async (updates) => {
      if (ids(updates).includes("2")) throw new Error("broken");
      stored.push(...ids(updates));
    });
    const results = await Promise.allSettled(["1", "2", "3"].map((id) => store(update(id))));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
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

  test("stop while the database is away: rejects what could not be stored", async () => {
    const { store, stop } = aStore(() => Promise.reject(away));
    const stored = store(update("1")).catch((error: unknown) => error);
    await stop();
    expect(await stored).toBe(away);
  });
});
