import { describe, expect, test } from "@jest/globals";
import { isDue, isQueued, lastSeen, messageId } from "../../../shared/outbox/outbox.rules.ts";

const intervals = { sweepMs: 2_000, reconcileMs: 120_000 };
const NOW = 1_000_000_000;

describe("isDue", () => {
  test.each([
    ["of this moment", NOW, false],
    ["younger than five sweeps", NOW - 9_999, false],
    ["as old as five sweeps", NOW - 10_000, true],
    ["old", NOW - 86_400_000, true],
    ["from a process whose clock is ahead", NOW + 1, true],
  ])("an event not sent by this process, %s", (_, occurredAt, expected) => {
    expect(isDue(occurredAt, undefined, NOW, intervals)).toBe(expected);
  });

  test("an event whose publish is under way is not due, however old", () => {
    expect(isDue(0, { at: 0, sequence: null, times: 1 }, NOW, intervals)).toBe(false);
  });

  test.each([
    [1, 10_000],
    [2, 120_000],
    [3, 240_000],
    [7, 3_840_000],
    [8, 3_840_000],
    [1_000, 3_840_000],
  ])("an event published %i times is due after %i ms, not before", (times, patience) => {
    const sent = (at: number) => ({ at, sequence: 7, times });
    expect(isDue(0, sent(NOW - patience), NOW, intervals)).toBe(true);
    expect(isDue(0, sent(NOW - patience + 1), NOW, intervals)).toBe(false);
  });
});

describe("isQueued", () => {
  const reach = { lastSequence: 100, deliveredUpTo: 50, pending: 50 };
  test.each([
    ["the next to be delivered", 51, true],
    ["the newest", 100, true],
    ["delivered, handled or lost", 50, false],
    ["beyond the end of the stream, which was lost", 101, false],
    ["not yet stored", null, false],
  ])("a message of this process, %s", (_, sequence, expected) => {
    expect(isQueued({ sequence, at: 1_000, times: 1 }, reach)).toBe(expected);
  });

  test("an event of another process counts as queued behind a long queue only", () => {
    expect(isQueued(undefined, { ...reach, pending: 1_000 })).toBe(false);
    expect(isQueued(undefined, { ...reach, pending: 1_001 })).toBe(true);
  });
});

test("message ids: the event id first, another for each later publication", () => {
  expect([1, 2, 3].map((times) => messageId("e", times))).toEqual(["e", "e:2", "e:3"]);
});

describe("lastSeen", () => {
  const page = (...outboxes: string[][]) => outboxes.map((ids) => ids.map((eventId) => ({ eventId })));

  test("is the newest among the first events after the mark", () => {
    expect(lastSeen(page(["b", "z"], ["c"], ["d", "e"]), "a")).toBe("d");
    expect(lastSeen(page(["d"], ["c"]), "a")).toBe("d");
  });

  test("passes over events before the mark, which the same outbox may still hold", () => {
    expect(lastSeen(page(["a", "f"], ["g", "b"]), "c")).toBe("g");
    expect(lastSeen(page(["c", "f"]), "c")).toBe("f");
  });

  test("the position of an empty page stays", () => {
    expect(lastSeen([], "c")).toBe("c");
  });
});
