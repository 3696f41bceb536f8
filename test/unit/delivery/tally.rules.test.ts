import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  hourOf,
  type Span,
  splitRange,
  sumCounts,
  talliesOf,
  tallyKey,
  tallyKeys,
} from "../../../services/delivery/history/tally.rules.ts";

const time = (text: string) => new Date(`2026-03-${text}Z`);

const justAfter = (text: string) => new Date(time(text).getTime() + 1);

test("hourOf: the same within an hour, one more in the next", () => {
  const [first, last, next] = ["01T10:00", "01T10:59:59.999", "01T11:00"].map((text) => hourOf(time(text)));
  expect([last, next]).toEqual([first, Number(first) + 1]);
});

describe("splitRange", () => {
  test("no bounds: all days", () => {
    expect(splitRange(null, null)).toEqual({ days: [{ from: null, before: null }], hours: [], edges: [] });
  });

  test("within one hour: an edge only", () => {
    expect(splitRange(time("01T10:10"), time("01T10:20"))).toEqual({
      days: [],
      hours: [],
      edges: [{ from: time("01T10:10"), before: justAfter("01T10:20") }],
    });
  });

  test("over several days: whole days, whole hours on both sides, and two edges", () => {
    expect(splitRange(time("01T10:30"), time("04T11:15"))).toEqual({
      days: [{ from: time("02T00:00"), before: time("04T00:00") }],
      hours: [
        { from: time("01T11:00"), before: time("02T00:00") },
        { from: time("04T00:00"), before: time("04T11:00") },
      ],
      edges: [
        { from: time("01T10:30"), before: time("01T11:00") },
        { from: time("04T11:00"), before: justAfter("04T11:15") },
      ],
    });
  });

  test("every moment of the range, and no other, is in exactly one part", () => {
    const moment = fc.date({ min: time("01T00:00"), max: time("06T00:00"), noInvalidDate: true });
    const bound = fc.option(moment);
    const isIn = (at: Date) => (span: Span) =>
      (!span.from || at >= span.from) && (!span.before || at < span.before);
    fc.assert(
      fc.property(bound, bound, moment, (from, to, probe) => {
        fc.pre(!from || !to || from < to);
        const { days, hours, edges } = splitRange(from, to);
        const [day, hour] = talliesOf(probe).map(({ at }) => at);
        const parts =
          days.filter(isIn(day ?? probe)).length +
          hours.filter(isIn(hour ?? probe)).length +
          edges.filter(isIn(probe)).length;
        const isInside = (!from || probe >= from) && (!to || probe <= to);
        expect(parts).toBe(isInside ? 1 : 0);
      }),
    );
  });
});

test("sumCounts adds what was asked for", () => {
  const counts = {
    [tallyKey("Delivered", "a.b")]: 4,
    [tallyKey("Exhausted", "a.b")]: 2,
    [tallyKey("Delivered", "c")]: 5,
  };
  expect(sumCounts(counts, tallyKeys(["Delivered"], ["a.b"]))).toBe(4);
  expect(sumCounts(counts, tallyKeys(["Delivered", "Exhausted", "Pending"], ["a.b", "c"]))).toBe(11);
  expect(sumCounts(counts, tallyKeys(["Delivered"], []))).toBe(0);
});

test("a moment belongs to a tally of each kind", () => {
  expect(talliesOf(time("01T10:30"))).toEqual([
    { kind: "day", at: time("01T00:00") },
    { kind: "hour", at: time("01T10:00") },
  ]);
});

test("tallyKey holds no dot", () => {
  expect(tallyKey("Delivered", "business.profile.created")).toBe("Delivered:business/profile/created");
});
