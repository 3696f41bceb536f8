import { expect, test } from "@jest/globals";
import { createKeyedMutex } from "../../../shared/keyed-mutex.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("work of a key runs in order, one at a time; other keys go on; a failure lets the next one in", async () => {
  const inTurn = createKeyedMutex();
  const log: string[] = [];
  const work =
    (name: string, fails = false) =>
    async () => {
      log.push(`${name} begins`);
      await turn();
      log.push(`${name} ends`);
      if (fails) throw new Error(name);
    };
  const results = await Promise.allSettled([
    inTurn("a", work("a1", true)),
    inTurn("a", work("a2")),
    inTurn("b", work("b1")),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled"]);
  expect(log.filter((line) => line.startsWith("a"))).toEqual([
    "a1 begins",
    "a1 ends",
    "a2 begins",
    "a2 ends",
  ]);
  expect(log.indexOf("b1 begins")).toBeLessThan(log.indexOf("a1 ends"));
});
