import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  applyOutcomes,
  disabledByPerson,
  disableWhenOverdue,
  type EndpointHealth,
  healthy,
  type Outcome,
} from "../../../services/webhook-registry/health.rules.ts";

const START = Date.parse("2026-01-01T00:00:00.000Z");
const HOUR_MS = 3_600_000;
const THRESHOLDS = { disabledAfterMs: 72 * HOUR_MS };

const at = (offsetMs: number): Date => new Date(START + offsetMs);
const success = (offsetMs: number): Outcome => ({
  at: at(offsetMs),
  ok: true,
  statusCode: 200,
  errorKind: null,
  exhausted: false,
});
const failure = (offsetMs: number, change: Partial<Outcome> = {}): Outcome => ({
  at: at(offsetMs),
  ok: false,
  statusCode: 500,
  errorKind: "HttpStatus",
  exhausted: false,
  ...change,
});
const exhausted = (offsetMs: number) => failure(offsetMs, { exhausted: true });
const gone = (offsetMs: number) => failure(offsetMs, { statusCode: 410 });
const notPublic = (offsetMs: number) => failure(offsetMs, { statusCode: null, errorKind: "UrlNotPublic" });

const failures = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => failure(from + index));
/** Each outcome in a report of its own. */
const healthAfter = (outcomes: readonly Outcome[], from: EndpointHealth = healthy(at(0))): EndpointHealth =>
  outcomes.reduce((health, outcome) => applyOutcomes(health, [outcome], THRESHOLDS), from);

describe("the health of an endpoint", () => {
  const DYING = [...failures(7), exhausted(HOUR_MS)];
  const OVERDUE = 1 + 72 * HOUR_MS;

  test.each<[string, Outcome[], Partial<EndpointHealth>]>([
    [
      "four failures in a row",
      failures(4),
      { status: "Active", consecutiveFailures: 4, degradedSince: null },
    ],
    [
      "the fifth",
      failures(5),
      { status: "Degraded", consecutiveFailures: 5, degradedSince: at(5), failingSince: at(1) },
    ],
    [
      "a success between failures",
      [...failures(4), success(5), ...failures(4, 6)],
      { status: "Active", consecutiveFailures: 4, failingSince: at(6) },
    ],
    [
      "a first Exhausted delivery",
      [exhausted(1)],
      { status: "Degraded", consecutiveFailures: 1, degradedSince: at(1), hasExhausted: true },
    ],
    [
      "72 hours without success and an Exhausted delivery",
      [...DYING, failure(OVERDUE)],
      {
        status: "Disabled",
        disabledAt: at(OVERDUE),
        disabledReason: "ConsecutiveFailures",
        degradedSince: at(5),
        consecutiveFailures: 9,
      },
    ],
    ["a millisecond earlier", [...DYING, failure(72 * HOUR_MS)], { status: "Degraded" }],
    ["no Exhausted delivery", [...failures(7), failure(100 * HOUR_MS)], { status: "Degraded" }],
    [
      "a success within the 72 hours",
      [...DYING, success(70 * HOUR_MS), failure(80 * HOUR_MS)],
      { status: "Active" },
    ],
    [
      "an Exhausted delivery that completes the 72 hours",
      [...failures(7), exhausted(73 * HOUR_MS)],
      { status: "Disabled" },
    ],
    [
      "two 410 in a row",
      [gone(1), gone(2)],
      { status: "Disabled", disabledAt: at(2), disabledReason: "EndpointGone" },
    ],
    ["one 410", [gone(1)], { status: "Active", consecutiveFailures: 1 }],
    ["a failure between two 410", [gone(1), failure(2), gone(3)], { status: "Active" }],
    ["a success between two 410", [gone(1), success(2), gone(3)], { status: "Active" }],
    ["two 410 after failures", [...failures(5), gone(6), gone(7)], { disabledReason: "EndpointGone" }],
    [
      "three addresses in a row that are not public",
      [notPublic(1), notPublic(2), notPublic(3)],
      { status: "Disabled", disabledAt: at(3), disabledReason: "UrlNotPublic" },
    ],
    ["two addresses", [notPublic(1), notPublic(2)], { status: "Active" }],
    ["two addresses after a failure", [failure(1), notPublic(2), notPublic(3)], { status: "Active" }],
    [
      "a failure between addresses",
      [notPublic(1), notPublic(2), failure(3), notPublic(4)],
      { status: "Active" },
    ],
  ])("%s", (_name, outcomes, health) => {
    expect(healthAfter(outcomes)).toMatchObject(health);
  });

  test("the first success heals Degraded, forgets every count and remembers the moment", () => {
    expect(healthAfter([...failures(4), exhausted(5), success(6)])).toEqual({
      ...healthy(at(6)),
      healedAt: at(6),
    });
  });

  test("a success on a healthy endpoint changes nothing at all", () => {
    const health = healthy(at(0));
    expect(applyOutcomes(health, [success(1), success(2)], THRESHOLDS)).toBe(health);
  });

  test("the clock alone disables it when no attempt is left to report", () => {
    const health = healthAfter([...failures(7), exhausted(71 * HOUR_MS)]);
    expect(health.status).toBe("Degraded");
    expect(disableWhenOverdue(health, at(72 * HOUR_MS), THRESHOLDS)).toBe(health);
    expect(disableWhenOverdue(health, at(1 + 72 * HOUR_MS), THRESHOLDS)).toMatchObject({
      status: "Disabled",
      disabledAt: at(1 + 72 * HOUR_MS),
      disabledReason: "ConsecutiveFailures",
    });
  });

  test("Disabled is left by no outcome", () => {
    const disabled = healthAfter([gone(1), gone(2)]);
    expect(healthAfter([success(3), failure(4), exhausted(5)], disabled)).toBe(disabled);
  });
});

describe("reports that come twice, late or together", () => {
  test("a 410 reported twice is one 410", () => {
    expect(healthAfter([gone(1), gone(1)])).toMatchObject({ status: "Active", consecutiveFailures: 1 });
  });

  test("outcomes of one report are taken in the order of their times", () => {
    const report = [success(6), ...failures(5).reverse()];
    expect(applyOutcomes(healthy(at(0)), report, THRESHOLDS)).toMatchObject({
      status: "Active",
      healedAt: at(6),
    });
  });

  test("two different outcomes of one report may have the same time", () => {
    expect(applyOutcomes(healthy(at(0)), [gone(1), gone(1)], THRESHOLDS)).toMatchObject({
      status: "Disabled",
    });
  });

  test("an outcome from before the endpoint was enabled does not count", () => {
    expect(healthAfter([failure(-1), exhausted(-1), gone(0)])).toEqual(healthy(at(0)));
  });

  test("the exhausted delivery of a late failure counts only while the failures go on", () => {
    expect(healthAfter([failure(1), failure(5), exhausted(3)])).toMatchObject({
      status: "Degraded",
      hasExhausted: true,
      consecutiveFailures: 2,
    });
    expect(healthAfter([failure(1), success(5), exhausted(3)])).toMatchObject({
      status: "Active",
      hasExhausted: false,
    });
    expect(healthAfter([failure(5), exhausted(3)])).toMatchObject({ status: "Active", hasExhausted: false });
    expect(healthAfter([failure(5), exhausted(5)])).toMatchObject({ status: "Degraded", hasExhausted: true });
  });

  const anyOutcome = fc.record({
    at: fc.integer({ min: 1, max: 100 * HOUR_MS }).map(at),
    ok: fc.boolean(),
    statusCode: fc.constantFrom(200, 410, 500, null),
    errorKind: fc.constantFrom("HttpStatus", "UrlNotPublic", "Timeout", null),
    exhausted: fc.boolean(),
  });

  test("any history: a report sent twice changes nothing the second time", () => {
    fc.assert(
      fc.property(fc.array(fc.array(anyOutcome, { maxLength: 4 }), { maxLength: 30 }), (reports) => {
        let health = healthy(at(0));
        for (const report of reports) {
          health = applyOutcomes(health, report, THRESHOLDS);
          expect(applyOutcomes(health, report, THRESHOLDS)).toEqual(health);
        }
      }),
    );
  });

  test("any history: the fields agree with the status", () => {
    fc.assert(
      fc.property(fc.array(anyOutcome, { maxLength: 60 }), (outcomes) => {
        const health = healthAfter(outcomes);
        expect((health.disabledAt !== null) === (health.status === "Disabled")).toBe(true);
        expect((health.disabledReason !== null) === (health.status === "Disabled")).toBe(true);
        expect((health.failingSince !== null) === health.consecutiveFailures > 0).toBe(true);
        if (health.status === "Active") {
          expect(health.degradedSince).toBeNull();
          expect(health.hasExhausted).toBe(false);
          expect(health.consecutiveFailures).toBeLessThan(5);
        }
        if (health.status === "Degraded") expect(health.degradedSince).not.toBeNull();
      }),
    );
  });
});

describe("disabledByPerson", () => {
  test("from any other status: Disabled, and neither successes nor failures nor the clock change it", () => {
    for (const before of [healthy(at(0)), healthAfter(failures(5))]) {
      const health = disabledByPerson(before, at(10));
      expect(health).toMatchObject({ status: "Disabled", disabledReason: "Person", disabledAt: at(10) });
      expect(healthAfter([success(11), ...failures(6, 12), gone(20), gone(21)], health)).toBe(health);
      expect(disableWhenOverdue(health, at(100 * HOUR_MS), THRESHOLDS)).toBe(health);
    }
  });

  test("an endpoint that is disabled already stays the same", () => {
    const health = healthAfter([gone(1), gone(2)]);
    expect(disabledByPerson(health, at(10))).toBe(health);
  });
});
