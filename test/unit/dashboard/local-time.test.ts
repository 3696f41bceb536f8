import { describe, expect, test } from "@jest/globals";
import { asLocalField, fromLocalField } from "../../../gateway/dashboard/core/local-time.ts";

describe("fields of local time", () => {
  test("a time goes into a field and comes back, to the second", () => {
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
