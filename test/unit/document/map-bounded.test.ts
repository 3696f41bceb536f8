import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { mapBounded } from "../../../services/document/map-bounded.ts";

test("mapBounded: keeps the order and never has more at work than allowed", async () => {
  let atWork = 0;
  let most = 0;
  const doubled = await mapBounded([1, 2, 3, 4, 5, 6, 7], 3, async (value) => {
    atWork += 1;
    most = Math.max(most, atWork);
    for (let turns = value % 3; turns >= 0; turns -= 1) await setImmediate();
    atWork -= 1;
    return value * 2;
  });
  expect(doubled).toEqual([2, 4, 6, 8, 10, 12, 14]);
  expect(most).toBe(3);
});

test("mapBounded, one fails: fails with its error when nothing is at work any more", async () => {
  const ended: number[] = [];
  const work = mapBounded([1, 2, 3, 4], 2, async (value) => {
    await setImmediate();
    ended.push(value);
    if (value === 1) throw new Error("one");
  });
  await expect(work).rejects.toThrow("one");
  expect(ended).toEqual([1, 2, 3, 4]);
});
