import { describe, expect, test } from "@jest/globals";
import {
  asDistance,
  asDuration,
  asLocalField,
  asSize,
  asWords,
  daysUntil,
  fromLocalField,
} from "../../../gateway/dashboard/core/format.ts";

describe("format", () => {
  test.each([
    ["CertificateOfIncorporation", "Certificate of incorporation"],
    ["DRIVING_LICENCE", "Driving licence"],
    ["Person.IdentityMismatch", "Person identity mismatch"],
    ["NATIOANL_ID", "National ID"],
    ["LLC", "LLC"],
    ["incorporationCountryIso3Code", "Incorporation country"],
    ["UpTo100k", "Up to 100k"],
    ["UpTo15k", "Up to 15k"],
  ])("%s as words: %s", (name, words) => expect(asWords(name)).toBe(words));

  test.each([
    [999, "999 ms"],
    [61_000, "61 s"],
    [150_000, "3 min"],
    [86_400_000, "24 h"],
  ])("%d ms as a duration: %s", (ms, text) => expect(asDuration(ms)).toBe(text));

  test("distances choose the largest unit that fits, in both directions", () => {
    const now = Date.parse("2026-01-15T12:00:00Z");
    expect(asDistance("2026-01-15T09:00:00Z", now)).toBe("3 hours ago");
    expect(asDistance("2026-01-17T12:00:00Z", now)).toBe("in 2 days");
    expect(asDistance("2026-01-15T12:00:00Z", now)).toBe("now");
  });

  test("days and sizes", () => {
    expect(daysUntil("2026-01-16T11:59:59Z", Date.parse("2026-01-15T12:00:00Z"))).toBe(0);
    expect(daysUntil("2026-01-14T12:00:00Z", Date.parse("2026-01-15T12:00:00Z"))).toBe(-1);
    expect(asSize(100)).toBe("1 KiB");
    expect(asSize(5_242_880)).toBe("5.0 MiB");
  });

  test("a time goes into a field of local time and comes back, to the second", () => {
    const iso = "2026-03-29T00:59:59.000Z";
    expect(fromLocalField(asLocalField(iso))).toBe(iso);
  });

  test("parts of a second are cut off, or up where the field is the end of a window", () => {
    const iso = "2026-05-01T10:00:00.400Z";
    expect(fromLocalField(asLocalField(iso))).toBe("2026-05-01T10:00:00.000Z");
    expect(fromLocalField(asLocalField(iso, Math.ceil))).toBe("2026-05-01T10:00:01.000Z");
  });

  test.each(["", "yesterday", undefined])("%p is no time", (text) => {
    expect(fromLocalField(text)).toBeUndefined();
    expect(asLocalField(text ?? "")).toBe("");
  });
});
