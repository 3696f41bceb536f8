import { expect, jest, test } from "@jest/globals";
import { lazily } from "../../../shared/lazily.ts";

test.each([["a value"], [undefined]])("makes %p once, when it is first asked for", (value) => {
  const make = jest.fn(() => value);
  const ask = lazily(make);
  expect(make).not.toHaveBeenCalled();
  expect([ask(), ask()]).toEqual([value, value]);
  expect(make).toHaveBeenCalledTimes(1);
});
