import { expect, test } from "@jest/globals";
import { backoffMs } from "../../../shared/backoff.rules.ts";

test.each([
  [0, 500],
  [1, 1_000],
  [5, 16_000],
  [6, 30_000],
  [10_000, 30_000],
])("after %i failures the wait is %i ms", (failures, expected) => {
  expect(backoffMs(500, 30_000, failures)).toBe(expected);
});
