import { expect, test } from "@jest/globals";
import { feedTimeBefore, isLater } from "../../../services/delivery/records/feed-position.rules.ts";

test.each([
  [{ t: 11, i: 1 }, true],
  [{ t: 10, i: 6 }, true],
  [{ t: 10, i: 5 }, false],
  [{ t: 10, i: 4 }, false],
  [{ t: 9, i: 9 }, false],
])("isLater: %j than the fifth of second 10 is %s", (left, expected) => {
  expect(isLater(left, { t: 10, i: 5 })).toBe(expected);
});

test("feedTimeBefore: part of a second counts as a whole one", () => {
  expect(feedTimeBefore({ t: 100, i: 5 }, 2_001)).toEqual({ t: 97, i: 5 });
  expect(feedTimeBefore({ t: 100, i: 5 }, 2_000)).toEqual({ t: 98, i: 5 });
});
