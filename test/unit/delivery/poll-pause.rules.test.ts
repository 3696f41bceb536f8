import { expect, test } from "@jest/globals";
import { pollPauseMs } from "../../../services/delivery/due/poll-pause.rules.ts";

test.each([
  ["told nothing: as often as is set, whatever waits", true, 60_000, 250],
  ["told nothing, with nothing waiting", true, Number.POSITIVE_INFINITY, 250],
  ["told by others: when the next is due", false, 4_000, 4_000],
  ["told by others, something due that could not be taken: as often as is set", false, -5_000, 250],
  [
    "told by others, with nothing waiting: a hint may have been lost",
    false,
    Number.POSITIVE_INFINITY,
    10_000,
  ],
  ["told by others, a retry in an hour", false, 3_600_000, 10_000],
])("%s", (_, mustPoll, nextInMs, expected) => {
  expect(pollPauseMs({ mustPoll, nextInMs, pollMs: 250 })).toBe(expected);
});

test("nobody looks more often than is set", () => {
  expect(pollPauseMs({ mustPoll: false, nextInMs: 100, pollMs: 60_000 })).toBe(60_000);
});
