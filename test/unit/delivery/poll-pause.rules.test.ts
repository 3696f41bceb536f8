import { expect, test } from "@jest/globals";
import { pollPauseMs } from "../../../services/delivery/due/poll-pause.rules.ts";

test.each([
  ["without hints: polls as often as is set", true, 60_000, 250],
  ["without hints, nothing waits: polls as often as is set", true, Number.POSITIVE_INFINITY, 250],
  ["with hints: polls when the next delivery is due", false, 4_000, 4_000],
  ["with hints, a due delivery was not taken: polls as often as is set", false, -5_000, 250],
  [
    "with hints, nothing waits: polls after ten seconds, as a hint may be lost",
    false,
    Number.POSITIVE_INFINITY,
    10_000,
  ],
  ["with hints, a retry in an hour: polls after ten seconds", false, 3_600_000, 10_000],
])("%s", (_, mustPoll, nextInMs, expected) => {
  expect(pollPauseMs({ mustPoll, nextInMs, pollMs: 250 })).toBe(expected);
});

test("the pause is never shorter than is set", () => {
  expect(pollPauseMs({ mustPoll: false, nextInMs: 100, pollMs: 60_000 })).toBe(60_000);
});
