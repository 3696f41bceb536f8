import { describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { demoBusiness, fateOf } from "../../../deploy/demo/businesses.ts";
import { intoThePast, moved, troubleOf } from "../../../deploy/demo/past.rules.ts";
import { samplePicture } from "../../../deploy/demo/sample-picture.ts";
import { createFormatCheck } from "../../../services/document/file/format-check.rules.ts";

const NOW = Date.parse("2026-06-15T12:00:00.000Z");
const DAY_MS = 86_400_000;
const MOST = 200;
const WAITS = [0, 30_000, 300_000];

describe("the demo data", () => {
  test("no two businesses share a reference or a name, and every fate is somebody's", () => {
    const numbers = Array.from({ length: MOST }, (_, number) => number);
    const businesses = numbers.map(demoBusiness);
    expect(new Set(businesses.map(({ partnerCustomerId }) => partnerCustomerId)).size).toBe(MOST);
    expect(new Set(businesses.map(({ companyName }) => companyName)).size).toBe(MOST);
    expect(new Set(numbers.map((number) => fateOf(number, MOST))).size).toBe(6);
  });
});

describe("intoThePast", () => {
  const span = { fromMs: NOW - 60_000, toMs: NOW - 30_000 };

  test("spreads customers over two weeks in their order, none of them in the future", () => {
    const begins = [0, 50, 99].map((place) => intoThePast(span, place, 100, NOW)(span.fromMs));
    expect(begins).toEqual(begins.toSorted((a, b) => a - b));
    expect(NOW - (begins[0] ?? 0)).toBeGreaterThan(13 * DAY_MS);
    for (const place of [0, 50, 99]) expect(intoThePast(span, place, 100, NOW)(span.toMs)).toBeLessThan(NOW);
  });

  test("keeps the order of what happened to a customer, and makes hours of seconds", () => {
    const move = intoThePast(span, 0, 100, NOW);
    expect(move(span.fromMs + 2_000) - move(span.fromMs)).toBe(2 * 3_600_000);
    expect(move(span.toMs)).toBeGreaterThan(move(span.fromMs + 2_000));
  });
});

test("moved: times in texts and dates move, and nothing else; a changed timestamp of MongoDB would leave the feed", () => {
  const feedAt = new mongoose.mongo.Timestamp({ t: 1_700_000_000, i: 3 });
  const record = {
    at: new Date(NOW),
    audit: [{ at: "2026-06-15T12:00:00.000Z", action: "created", feedAt }],
    birthDate: "1980-01-01",
    claim: { leaseUntil: "2026-06-15T12:30:00.000Z" },
    version: 3,
    decidedAt: null,
  };
  expect(moved(record, (ms) => ms - DAY_MS, ["claim"])).toStrictEqual({
    ...record,
    at: new Date(NOW - DAY_MS),
    audit: [{ at: "2026-06-14T12:00:00.000Z", action: "created", feedAt }],
  });
});

describe("troubleOf", () => {
  const longAgo = new Date(NOW - DAY_MS);

  test.each([0, 3, 5])("delivery %i had none", (place) => {
    expect(troubleOf(place, longAgo, WAITS, NOW)).toBe(null);
  });

  test("an old demo delivery was exhausted after its last attempt, at the waits of the schedule", () => {
    const attempts = troubleOf(4, longAgo, WAITS, NOW) ?? [];
    expect(attempts.map(({ sentAt }) => sentAt.getTime() - longAgo.getTime())).toEqual([0, 30_000, 330_000]);
    expect(attempts.every(({ errorKind }) => errorKind !== null)).toBe(true);
  });

  test.each([
    ["one whose schedule is not over", 4, new Date(NOW - 200_000)],
    ["another one", 13, longAgo],
  ])("%s got through at last", (_name, place, occurredAt) => {
    const attempts = troubleOf(place, occurredAt, WAITS, NOW) ?? [];
    expect(attempts.length).toBeGreaterThan(1);
    expect(attempts.at(-1)?.errorKind).toBe(null);
  });
});

describe("samplePicture", () => {
  test("is a picture that the document service takes, another for each number", () => {
    const check = createFormatCheck("image/png");
    expect(check.push(samplePicture(1)) ?? check.end()).toBe("fine");
    expect(samplePicture(1).equals(samplePicture(2))).toBe(false);
  });
});
