import { describe, expect, test } from "@jest/globals";
import {
  EMAIL,
  foldedName,
  isCalendarDay,
  isStorable,
  isWebsite,
  lastFourOf,
  PARTNER_CUSTOMER_ID,
  PHONE,
} from "../../../services/profile/record/text.rules.ts";

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
    ["+2348012345678", true],
    ["+1234567", true],
    ["+123456", false],
    ["+123456789012345", true],
    ["+1234567890123456", false],
    ["+0234567890", false],
    ["2348012345678", false],
    ["+234 801 234 5678", false],
    ["+٢٣٤٨٠١٢٣٤٥٦٧٨", false],
    ["+2348012345678\n", false],
  ])("phone %p: %p", (value, expected) => expect(PHONE.test(value)).toBe(expected));

  test.each([
    ["a@b", true],
    ["a.b+c@d.example", true],
    ["a@b@c", false],
    ["a b@c", false],
    ["@c", false],
    ["a@", false],
    ["", false],
  ])("email %p: %p", (value, expected) => expect(EMAIL.test(value)).toBe(expected));

  test.each([
    ["https://a.example", true],
    ["HTTP://A.example/x?y#z", true],
    ["ftp://a.example", false],
    ["//a.example", false],
    ["a.example", false],
    ["https://", false],
    ["https:a.example", false],
    ["https://a b", false],
    ["https://[::1", false],
    ["javascript:alert(1)", false],
  ])("website %p: %p", (value, expected) => expect(isWebsite(value)).toBe(expected));

  test.each([
    ["a", true],
    ["A1._:@-z", true],
    ["-a", false],
    [".a", false],
    ["a b", false],
    ["a/b", false],
    ["é", false],
    ["a".repeat(100), true],
    ["a".repeat(101), false],
  ])("reference %p: %p", (value, expected) => expect(PARTNER_CUSTOMER_ID.test(value)).toBe(expected));

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
