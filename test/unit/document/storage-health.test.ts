import { expect, test } from "@jest/globals";
import { createStorageHealth } from "../../../services/document/storage/storage-health.ts";

function counted(ping: () => Promise<void>) {
  const calls = { count: 0 };
  return {
    calls,
    onDisconnect: () => undefined,
    ping: () => {
      calls.count += 1;
      return ping();
    },
  };
}

test("many ask at once: storage is asked once", async () => {
  const { calls, ...storage } = counted(async () => undefined);
  const answers = createStorageHealth(storage);
  await Promise.all([answers(), answers(), answers()]);
  await answers();
  expect(calls.count).toBe(1);
});

test("the last answer is old: storage is asked again, and a return is seen", async () => {
  let isAway = true;
  const { calls, ...storage } = counted(async () => {
    if (isAway) throw new Error("away");
  });
  const answers = createStorageHealth(storage, 0);
  await expect(answers()).rejects.toThrow("away");
  isAway = false;
  await expect(answers()).resolves.toBeUndefined();
  expect(calls.count).toBe(2);
});

test("a connection ends: storage is asked again, however fresh the last answer", async () => {
  const { calls, ping } = counted(async () => undefined);
  const listeners: (() => void)[] = [];
  const answers = createStorageHealth({ ping, onDisconnect: (listener) => void listeners.push(listener) });
  await answers();
  for (const listener of listeners) listener();
  await answers();
  expect(calls.count).toBe(2);
});
