import { expect, jest, test } from "@jest/globals";
import { createStorageHealth } from "../../../services/document/storage/storage-health.ts";

test("concurrent callers share one ping; after a connection ended the next caller pings, however fresh the answer", async () => {
  const ping = jest.fn(async () => undefined);
  const health = createStorageHealth(ping);
  await Promise.all([health.answers(), health.answers(), health.answers()]);
  await health.answers();
  expect(ping).toHaveBeenCalledTimes(1);
  health.forget();
  await health.answers();
  expect(ping).toHaveBeenCalledTimes(2);
});

test("after the last answer is old, storage is pinged again, and a return is seen", async () => {
  const ping = jest.fn(async () => undefined).mockRejectedValueOnce(new Error("away"));
  const health = createStorageHealth(ping, 0);
  await expect(health.answers()).rejects.toThrow("away");
  await expect(health.answers()).resolves.toBeUndefined();
  expect(ping).toHaveBeenCalledTimes(2);
});
