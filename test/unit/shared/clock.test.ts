import { expect, test } from "@jest/globals";
import { isoOf } from "../../../shared/clock.ts";

test("each moment is spelt as itself, whichever was asked for before", () => {
  const moments = [0, 0, 1_700_000_000_123, 1_700_000_000_123, 1_700_000_000_124, 0];
  expect(moments.map(isoOf)).toEqual(moments.map((ms) => new Date(ms).toISOString()));
});
