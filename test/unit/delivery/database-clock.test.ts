import { expect, test } from "@jest/globals";
import { createDatabaseClock } from "../../../services/delivery/database-clock.ts";

function aScene() {
  const time = { wall: 30_000, monotonic: 5, ahead: 0 };
  const clock = createDatabaseClock({
    clock: { now: () => time.wall + time.ahead },
    wall: { now: () => time.wall },
    monotonic: { now: () => time.monotonic },
  });
  return { time, clock };
}

test("the process's clock, until the database names its time", () => {
  const { clock } = aScene();
  expect(clock.now()).toBe(30_000);
});

test("the database's time, whatever the process's clock is and is set to", () => {
  const { time, clock } = aScene();
  clock.set(new Date(1_000));
  expect(clock.now()).toBe(1_000);
  time.monotonic += 500;
  time.wall = -30_000;
  expect(clock.now()).toBe(1_500);
});

test("an offset of the test clock is added", () => {
  const { time, clock } = aScene();
  clock.set(new Date(1_000));
  time.ahead = 60_000;
  expect(clock.now()).toBe(61_000);
});
