import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { dayOf, splitByDays, sumCounts, tallyKey } from "../../../services/delivery/tally.rules.ts";

const time = (text: string) => new Date(`2026-03-${text}Z`);

describe("splitByDays", () => {
  test("no bounds: all days, no edges", () => {
    expect(splitByDays(null, null)).toEqual({ days: { from: null, before: null }, edges: [] });
  });

  test("within one day: an edge only", () => {
    expect(splitByDays(time("01T10:00"), time("01T11:00"))).toEqual({
      days: null,
      edges: [{ from: time("01T10:00"), before: new Date(time("01T11:00").getTime() + 1) }],
    });
  });

  test("over several days: whole days and two edges", () => {
    expect(splitByDays(time("01T10:00"), time("04T11:00"))).toEqual({
      days: { from: time("02T00:00"), before: time("04T00:00") },
      edges: [
        { from: time("01T10:00"), before: time("02T00:00") },
        { from: time("04T00:00"), before: new Date(time("04T11:00").getTime() + 1) },
      ],
    });
  });

  test("every moment of the range, and no other, is in exactly one part", () => {
    const moment = fc.date({ min: time("01T00:00"), max: time("06T00:00"), noInvalidDate: true });
    const bound = fc.option(moment);
    fc.assert(
      fc.property(bound, bound, moment, (from, to, probe) => {
        fc.pre(!from || !to || from < to);
        const { days, edges } = splitByDays(from, to);
        const inDays =
          days !== null &&
          (!days.from || dayOf(probe) >= days.from) &&
          (!days.before || dayOf(probe) < days.before);
        const parts =
          edges.filter((edge) => probe >= edge.from && probe < edge.before).length + (inDays ? 1 : 0);
        const isInside = (!from || probe >= from) && (!to || probe <= to);
        expect(parts).toBe(isInside ? 1 : 0);
      }),
    );
  });
});

test("sumCounts adds what was asked for", () => {
  const counts = [
    { [tallyKey("Delivered", "a.b")]: 3, [tallyKey("Exhausted", "a.b")]: 2 },
    { [tallyKey("Delivered", "a.b")]: 1, [tallyKey("Delivered", "c")]: 5 },
  ];
  expect(sumCounts(counts, ["Delivered"], ["a.b"])).toBe(4);
  expect(sumCounts(counts, ["Delivered", "Exhausted", "Pending"], ["a.b", "c"])).toBe(11);
  expect(sumCounts(counts, ["Delivered"], [])).toBe(0);
});

test("tallyKey holds no dot", () => {
  expect(tallyKey("Delivered", "business.profile.created")).not.toContain(".");
});
