import { expect, test } from "@jest/globals";
import { createRepeat } from "../../../shared/repeat.ts";

test("work is repeated, never twice at a time, and a stop waits for the work in hand", async () => {
  let running = 0;
  let most = 0;
  let done = 0;
  const thrice = Promise.withResolvers<void>();
  const repeat = createRepeat(1, async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    done += 1;
    if (done === 3) thrice.resolve();
  });
  repeat.start();
  await thrice.promise;
  await repeat.stop();
  const atStop = done;
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect({ most, running, later: done - atStop }).toEqual({ most: 1, running: 0, later: 0 });
});

test("a work that goes on for long sees that it was stopped", async () => {
  const begun = Promise.withResolvers<void>();
  let turns = 0;
  const repeat = createRepeat(1, async (isStopped) => {
    begun.resolve();
    while (!isStopped()) {
      turns += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
  repeat.start();
  await begun.promise;
  await repeat.stop();
  expect(turns).toBeGreaterThan(0);
});

test("a repeat that was never started stops at once", async () => {
  await createRepeat(1, async () => undefined).stop();
});
