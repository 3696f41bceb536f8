import { describe, expect, test } from "@jest/globals";
import { judgeAttempt } from "../../../services/delivery/attempt/judge-attempt.rules.ts";

const NOW = 1_800_000_000_000;
const situation = {
  delivery: { nextAttemptAt: new Date(NOW - 1) },
  endpointIsLive: true,
  hasEvent: true,
  pausedUntil: null,
  nowMs: NOW,
};

describe("judgeAttempt", () => {
  test("an attempt that is due: send", () => {
    expect(judgeAttempt(situation)).toEqual({ kind: "send" });
  });

  test("too early: put off until a moment before it is due", () => {
    const delivery = { ...situation.delivery, nextAttemptAt: new Date(NOW + 60_000) };
    expect(judgeAttempt({ ...situation, delivery })).toEqual({ kind: "putOff", untilMs: NOW + 58_000 });
  });

  test("early by the difference of two clocks: send", () => {
    const delivery = { ...situation.delivery, nextAttemptAt: new Date(NOW + 1_900) };
    expect(judgeAttempt({ ...situation, delivery })).toEqual({ kind: "send" });
  });

  test("no time is planned: send", () => {
    const delivery = { ...situation.delivery, nextAttemptAt: null };
    expect(judgeAttempt({ ...situation, delivery })).toEqual({ kind: "send" });
  });

  test.each([
    ["a pause that ends now", NOW, null],
    ["2 s early", null, NOW + 2_000],
  ])("%s: send", (_name, pausedUntil, plannedMs) => {
    const delivery = {
      ...situation.delivery,
      nextAttemptAt: plannedMs === null ? null : new Date(plannedMs),
    };
    expect(judgeAttempt({ ...situation, pausedUntil, delivery })).toEqual({ kind: "send" });
  });

  test("paused and too early: the later of the two", () => {
    const delivery = { ...situation.delivery, nextAttemptAt: new Date(NOW + 60_000) };
    const until = (pausedUntil: number) => judgeAttempt({ ...situation, delivery, pausedUntil });
    expect(until(NOW + 57_999)).toEqual({ kind: "putOff", untilMs: NOW + 58_000 });
    expect(until(NOW + 58_001)).toEqual({ kind: "putOff", untilMs: NOW + 58_001 });
  });

  test("the endpoint is paused: put off until the end of the pause", () => {
    expect(judgeAttempt({ ...situation, pausedUntil: NOW + 5 })).toEqual({
      kind: "putOff",
      untilMs: NOW + 5,
    });
  });

  test("the endpoint is disabled: give up, paused or not", () => {
    const disabled = { ...situation, endpointIsLive: false, pausedUntil: NOW + 5 };
    expect(judgeAttempt(disabled)).toEqual({ kind: "exhaust", because: "endpoint not live" });
  });

  test("its event is gone: given up, but not before its time", () => {
    const purged = { ...situation, hasEvent: false };
    expect(judgeAttempt(purged)).toEqual({ kind: "exhaust", because: "event gone" });
    expect(judgeAttempt({ ...purged, pausedUntil: NOW + 5 })).toMatchObject({ kind: "putOff" });
  });
});
