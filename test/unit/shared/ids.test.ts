import { describe, expect, test } from "@jest/globals";
import { idOfCall, isUuid, orderedId, randomId, timeOfId } from "../../../shared/ids.ts";

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe("orderedId", () => {
  test("is a UUID of version 7 and variant 10 that holds the time", () => {
    const id = orderedId(AT);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(AT);
  });

  test("an id of a later millisecond sorts after an earlier id, as text", () => {
    const ids = Array.from({ length: 500 }, (_, ms) => orderedId(AT + ms));
    expect([...ids].sort()).toEqual(ids);
  });

  test("two of the same millisecond differ", () => {
    expect(new Set(Array.from({ length: 10_000 }, () => orderedId(AT))).size).toBe(10_000);
  });

  test("takes the first and the last time that fits into 48 bits", () => {
    expect(orderedId(0)).toMatch(/^00000000-0000-7/);
    expect(orderedId(2 ** 48 - 1)).toMatch(/^ffffffff-ffff-7/);
  });
});

describe("idOfCall", () => {
  test.each([0, 59_999, -59_999])("is the id of the call, made %i ms ago", (ms) => {
    const callId = orderedId(AT - ms);
    expect(idOfCall(callId, AT)).toBe(callId);
  });

  test.each([
    ["none", null],
    ["no UUID", "x"],
    ["from a minute ago", orderedId(AT - 60_000)],
    ["from the future", orderedId(AT + 60_000)],
  ])("is a new one where the call's is %s", (_, callId) => {
    expect(timeOfId(idOfCall(callId, AT))).toBe(AT);
  });
});

describe("isUuid", () => {
  test.each([[orderedId(AT)], [randomId()], [randomId().toUpperCase()]])("accepts %s", (id) => {
    expect(isUuid(id)).toBe(true);
  });

  test.each([
    [""],
    ["0199a000-0000-7000-8000-00000000000"],
    ["0199a000-0000-7000-8000-0000000000001"],
    ["0199a000-0000-7000-7000-000000000001"],
    ["0199a000-0000-9000-8000-000000000001"],
    ["0199a00000007000800000000000001"],
    [`${randomId()}\n`],
    [{ $ne: null }],
    [[randomId()]],
    [null],
    [1],
  ])("refuses %j", (value) => {
    expect(isUuid(value)).toBe(false);
  });
});
