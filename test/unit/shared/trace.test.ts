import { describe, expect, test } from "@jest/globals";
import { continueTrace, isTraceparent } from "../../../shared/telemetry/trace.ts";

const GIVEN = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

describe("continueTrace", () => {
  test("with a caller's trace: keeps the trace id and the flags, takes a span of its own", () => {
    const next = continueTrace(GIVEN);
    expect(next.slice(0, 36)).toBe(GIVEN.slice(0, 36));
    expect(next.slice(52)).toBe("-01");
    expect(next.slice(36, 52)).not.toBe(GIVEN.slice(36, 52));
    expect(isTraceparent(next)).toBe(true);
  });

  test("unsampled stays unsampled", () => {
    expect(continueTrace(GIVEN.replace(/01$/, "00"))).toMatch(/-00$/);
  });

  test.each([
    [undefined],
    [""],
    ["00-00000000000000000000000000000000-00f067aa0ba902b7-01"],
    ["00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01"],
    ["ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    [GIVEN.toUpperCase()],
    [`${GIVEN}-extra`],
    [`${GIVEN}\n`],
    [[GIVEN]],
  ])("with %j: begins a trace of its own", (incoming) => {
    const begun = continueTrace(incoming);
    expect(isTraceparent(begun)).toBe(true);
    expect(begun.slice(3, 35)).not.toBe(GIVEN.slice(3, 35));
  });

  test("two traces begun are two", () => {
    const ids = new Set(Array.from({ length: 1_000 }, () => continueTrace(undefined).slice(3, 35)));
    expect(ids.size).toBe(1_000);
  });
});
