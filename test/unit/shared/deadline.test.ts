import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { withDeadline } from "../../../shared/deadline.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe("withDeadline", () => {
  test("an answer or a failure in time: is passed on, and no timer stays behind", async () => {
    expect(await withDeadline(Promise.resolve("answer"), 1_000)).toBe("answer");
    expect(jest.getTimerCount()).toBe(0);
    await expect(withDeadline(Promise.reject(new Error("away")), 1_000)).rejects.toThrow("away");
    expect(jest.getTimerCount()).toBe(0);
  });

  test.each([
    ["the caller's error", () => new Error("too late"), "too late"],
    ["an error that names the limit", undefined, "no answer within 1000 ms"],
  ])("no answer in time: rejects with %s", async (_, lateError, message) => {
    const outcome = withDeadline(new Promise(() => undefined), 1_000, lateError).catch(
      (error) => error.message,
    );
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toBe(message);
  });
});
