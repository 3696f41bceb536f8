import { expect, test } from "@jest/globals";
import { pageTotal } from "../../../shared/input/page-total.ts";

test.each([
  ["a full page", { page: 1, found: 10, counted: 25 }, 25],
  ["the last page", { page: 3, found: 5, counted: 25 }, 25],
  ["a page beyond the end", { page: 9, found: 0, counted: 25 }, 25],
  ["nothing", { page: 1, found: 0, counted: 0 }, 0],
  ["one that came after the page was read", { page: 1, found: 0, counted: 1 }, 0],
  ["one that left after the page was read", { page: 3, found: 5, counted: 24 }, 25],
  ["many that left after a full page was read", { page: 2, found: 10, counted: 12 }, 20],
  ["some that came after an empty page was read", { page: 2, found: 0, counted: 11 }, 10],
])("%s", (_what, { page, found, counted }, total) => {
  expect(pageTotal({ page, pageSize: 10 }, found, counted)).toBe(total);
});
