import { describe, expect, test } from "@jest/globals";
import {
  foldedName,
  isCalendarDay,
  isStorable,
  lastFourOf,
} from "../../../services/profile/record/text.rules.ts";

// Emails, phones, websites and references: profile-input.rules, with the cases of the contract.
describe("single values", () => {
  test.each([
    ["2024-02-29", true],
    ["2023-02-29", false],
    ["2000-02-29", true],
    ["1600-02-29", true],
    ["2023-09-31", false],
    ["2023x12x31", false],
    ["1900-02-29", false],
    ["2024-02-30", false],
    ["2023-12-31", true],
    ["2023-12-32", false],
    ["2023-06-31", false],
    ["2023-01-00", false],
    ["2023-04-31", false],
    ["2023-13-01", false],
    ["2023-00-10", false],
    ["0001-01-01", true],
    ["2023-1-1", false],
    ["2023-01-01T00:00:00Z", false],
    ["", false],
  ])("calendar day %p: %p", (value, expected) => expect(isCalendarDay(value)).toBe(expected));

  test.each([
    ["plain", true],
    ["😀 \u202E right to left", true],
    ["a\0b", false],
    ["\uD800", false],
    ["\uDC00x", false],
  ])("storable %j: %p", (value, expected) => expect(isStorable(value)).toBe(expected));

  test.each([
    ["A01234567", "4567"],
    ["12345", "2345"],
    ["1234", ""],
    ["1", ""],
    ["12😀456", "456"],
  ])("the last four of %p: %p", (value, expected) => {
    expect(lastFourOf(value)).toBe(expected);
    expect(lastFourOf(value).isWellFormed()).toBe(true);
  });

  test("names are compared composed and in lower case", () => {
    expect(foldedName("CAFE\u0301 Ltd")).toBe(foldedName("Café LTD"));
  });
});
