import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createUpdateStore } from "../../../services/delivery/attempt/update-store.ts";
import { type DeliveryUpdate, putOff } from "../../../services/delivery/records/delivery-update.rules.ts";

const logger = pino({ level: "silent" });
const away = Object.assign(new Error("away"), { name: "MongoNotConnectedError" });
const update = (deliveryId: string) =>
  putOff({ deliveryId, partnerId: "p", attemptNo: 1 }, { postponed: 0 }, 0);
const ids = (updates: readonly DeliveryUpdate[]) => updates.map(({ deliveryId }) => deliveryId);

const aStore = (apply: (updates: readonly DeliveryUpdate[]) => Promise<void>) =>
  createUpdateStore({ deliveries: { apply }, logger });

describe("createUpdateStore", () => {
  test("what comes together is written together; what comes meanwhile is the next write", async () => {
    const written: string[][] = [];
    const first = Promise.withResolvers<void>();
    const { store } = aStore(async (updates) => {
      written.push(ids(updates));
      if (written.length === 1) await first.promise;
    });
    const early = [store(update("1")), store(update("2"))];
    while (written.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const late = [store(update("3")), store(update("4"))];
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

  test("one that cannot be written is rejected; the others of its batch, and the next, are stored", async () => {
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

  test("stop while the database is away: rejects what could not be stored", async () => {
    const { store, stop } = aStore(() => Promise.reject(away));
    const stored = store(update("1")).catch((error: unknown) => error);
    await stop();
    expect(await stored).toBe(away);
  });
});
