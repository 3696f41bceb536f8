import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { shareAnswers } from "../../../gateway/http/share-answers.ts";
import type { GroupedAnswer } from "../../../shared/moleculer/grouped-call.ts";

const answered = (body: unknown): GroupedAnswer => ({ status: 200, headers: {}, body });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("all who ask within a second: one call; then another", async () => {
  const call = jest.fn(async () => answered(call.mock.calls.length));
  const shared = shareAnswers(call);
  const first = await Promise.all([shared(), shared()]);
  jest.advanceTimersByTime(999);
  expect([...first, await shared()].map(({ body }) => body)).toEqual([1, 1, 1]);
  jest.advanceTimersByTime(1);
  expect((await shared()).body).toBe(2);
});

test("a failure: told to those who wait for it; the next one asks again", async () => {
  const call = jest.fn(async () => {
    if (call.mock.calls.length === 1) throw new Error("away");
    return answered("well");
  });
  const shared = shareAnswers(call);
  const results = await Promise.allSettled([shared(), shared()]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await shared()).body).toBe("well");
  expect(call).toHaveBeenCalledTimes(2);
});
