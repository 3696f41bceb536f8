import { expect, test } from "@jest/globals";
import { judgeAttempt } from "../../../services/delivery/attempt/judge-attempt.rules.ts";

const NOW = 1_800_000_000_000;
const at = (ms: number) => NOW + ms;
const SEND = { kind: "send" };
const putOff = (ms: number) => ({ kind: "putOff", untilMs: at(ms) });

/** The next attempt and the end of the pause, in milliseconds from now. */
test.each([
  ["due", {}, SEND],
  ["no time is scheduled", { nextInMs: null }, SEND],
  ["too early: until a moment before it is due", { nextInMs: 60_000 }, putOff(58_000)],
  ["early by the difference of two clocks", { nextInMs: 2_000 }, SEND],
  ["a pause that ends now", { pausedForMs: 0 }, SEND],
  ["paused", { pausedForMs: 5 }, putOff(5)],
  ["paused for less than it is early", { nextInMs: 60_000, pausedForMs: 57_999 }, putOff(58_000)],
  ["paused for longer than it is early", { nextInMs: 60_000, pausedForMs: 58_001 }, putOff(58_001)],
  [
    "disabled, paused or not",
    { isLive: false, pausedForMs: 5 },
    { kind: "exhaust", because: "endpoint not live" },
  ],
  ["its event is gone", { hasEvent: false }, { kind: "exhaust", because: "event gone" }],
  ["its event is gone, and it is paused", { hasEvent: false, pausedForMs: 5 }, putOff(5)],
] as [string, Given, object][])("judgeAttempt, %s", (_, given, verdict) => {
  const { nextInMs = -1, pausedForMs, isLive = true, hasEvent = true } = given;
  const judged = judgeAttempt({
    delivery: { nextAttemptAt: nextInMs === null ? null : new Date(at(nextInMs)) },
    endpointIsLive: isLive,
    hasEvent,
    pausedUntil: pausedForMs === undefined ? null : at(pausedForMs),
    nowMs: NOW,
  });
  expect(judged).toEqual(verdict);
});

type Given = { nextInMs?: number | null; pausedForMs?: number; isLive?: boolean; hasEvent?: boolean };
