import { afterEach, expect, jest, test } from "@jest/globals";
import { createDatabaseClock } from "../../../services/delivery/database-clock.ts";

function aScene() {
  const time = { wall: 30_000, monotonic: 5, ahead: 0 };
  jest.spyOn(Date, "now").mockImplementation(() => time.wall);
  jest.spyOn(performance, "now").mockImplementation(() => time.monotonic);
  return { time, clock: createDatabaseClock({ now: () => time.wall + time.ahead }) };
}

afterEach(() => void jest.restoreAllMocks());

test("the process's clock counts until the database names its time", () => {
  const { clock } = aScene();
  expect(clock.now()).toBe(30_000);
});

test("then the database's time counts, whatever the process's clock is set to; tests can move it", () => {
  const { time, clock } = aScene();
  clock.set(new Date(1_000));
  expect(clock.now()).toBe(1_000);
  time.monotonic += 500;
  time.wall = -30_000;
  expect(clock.now()).toBe(1_500);
  time.ahead = 60_000;
  expect(clock.now()).toBe(61_500);
});
