import { describe, expect, test } from "@jest/globals";
import {
  entryState,
  isLeftBehind,
  lastSeen,
  type Mark,
  moveMark as moveMarkWithin,
  NO_MARK,
  overdueMessageId,
  type Reach,
} from "../../../shared/outbox/outbox.rules.ts";

const intervals = { sweepMs: 2_000, reconcileMs: 120_000 };
const NOW = 1_000_000_000;

describe("entryState", () => {
  test.each([
    ["of this moment", NOW, "wait"],
    ["younger than a sweep", NOW - 1_999, "wait"],
    ["as old as a sweep", NOW - 2_000, "foreign"],
    ["old", NOW - 86_400_000, "foreign"],
    ["from a process whose clock is ahead", NOW + 5_000, "foreign"],
  ] as const)("an event not sent by this process, %s", (_, occurredAt, expected) => {
    expect(entryState(occurredAt, undefined, NOW, intervals)).toBe(expected);
  });

  test("one that is being published now: wait, however old", () => {
    expect(entryState(0, { at: 0, sequence: null, times: 1 }, NOW, intervals)).toBe("wait");
  });

  test.each([
    [1, 120_000],
    [2, 240_000],
    [3, 480_000],
    [6, 3_840_000],
    [7, 3_840_000],
    [1_000, 3_840_000],
  ])("published %i times: overdue after %i ms, not before", (times, patience) => {
    const sent = (at: number) => ({ at, sequence: 7, times });
    expect(entryState(0, sent(NOW - patience), NOW, intervals)).toBe("overdue");
    expect(entryState(0, sent(NOW - patience + 1), NOW, intervals)).toBe("late");
  });

  test("late after ten seconds, not before", () => {
    const sent = (at: number) => ({ at, sequence: 7, times: 1 });
    expect(entryState(0, sent(NOW - 10_000), NOW, intervals)).toBe("late");
    expect(entryState(0, sent(NOW - 9_999), NOW, intervals)).toBe("wait");
  });

  test("which the broker had already: late ten seconds after it occurred, though sent a moment ago", () => {
    const sent = { at: NOW, sequence: 7, times: 1, wasThere: true };
    expect(entryState(NOW - 10_000, sent, NOW, intervals)).toBe("late");
    expect(entryState(NOW - 9_999, sent, NOW, intervals)).toBe("wait");
  });
});

describe("a foreign event", () => {
  const handled = NOW - 10_000;
  test.each([
    ["from long before the point that is handled: left behind", handled - 2_000, handled, true],
    ["so near to that point that it may have come after it: not yet", handled - 1_999, handled, false],
    [
      "after that point, however old: not yet, for it may be waiting in the stream",
      handled + 1,
      handled,
      false,
    ],
    ["from a process whose clock is ahead: left behind", NOW + 1, handled, true],
    ["of this moment: not yet", NOW, handled, false],
    ["while the stream cannot be asked: not yet", NOW - 119_999, null, false],
    ["while the stream cannot be asked for long: left behind", NOW - 120_000, null, true],
  ])("%s", (_, occurredAt, handledBefore, expected) => {
    expect(isLeftBehind(occurredAt, handledBefore, NOW, intervals)).toBe(expected);
  });
});

describe("moveMark", () => {
  const reach = (lastSequence: number, handledUpTo: number, deliveredUpTo = handledUpTo) => ({
    createdAtMs: 0,
    firstSequence: 1,
    lastSequence,
    deliveredUpTo,
    handledUpTo,
  });
  const moveMark = (mark: Mark, at: number, to: Reach) => moveMarkWithin(mark, at, to, intervals);

  test("everything before a point counts as handled when the point is", () => {
    const first = moveMark(NO_MARK, 100, reach(10, 4));
    expect(first).toEqual({ handledBefore: 0, next: { at: 100, lastSequence: 10 } });
    expect(moveMark(first, 200, reach(20, 9))).toEqual(first);
    expect(moveMark(first, 300, reach(30, 10))).toEqual({
      handledBefore: 100,
      next: { at: 300, lastSequence: 30 },
    });
  });

  test("a point that was given out counts as handled when nobody settled it for long", () => {
    const first = moveMark(NO_MARK, 100, reach(10, 4, 10));
    expect(moveMark(first, 120_099, reach(10, 4, 10))).toEqual(first);
    expect(moveMark(first, 120_100, reach(12, 4, 10)).handledBefore).toBe(100);
    expect(moveMark(first, 120_100, reach(12, 4, 9))).toEqual(first);
  });

  test("a stream that is idle counts as handled up to the last look", () => {
    const first = moveMark(NO_MARK, 100, reach(10, 10));
    expect(moveMark(first, 200, reach(10, 10)).handledBefore).toBe(100);
  });

  test("a stream that was lost begins anew", () => {
    const before = moveMark(NO_MARK, 100, reach(10, 4));
    expect(moveMark(before, 200, reach(0, 0))).toEqual({
      handledBefore: 0,
      next: { at: 200, lastSequence: 0 },
    });
  });
});

describe("overdueMessageId", () => {
  const reach = {
    createdAtMs: 1_000,
    firstSequence: 10,
    lastSequence: 100,
    deliveredUpTo: 50,
    handledUpTo: 20,
  };
  test.each([
    ["beyond the end of the stream, which was lost: the same id, unknown to the new stream", 101, "e"],
    ["given out, handled or not: a new id, or the server would drop it", 50, "e:50"],
    ["fallen out of the stream: a new id", 9, "e:9"],
    ["still waiting for its turn: not again", 51, null],
    ["the newest, still waiting: not again", 100, null],
  ])("%s", (_, sequence, expected) => {
    expect(overdueMessageId("e", { sequence, at: 1_000, times: 1 }, "overdue", reach)).toBe(expected);
  });

  test("overdue once more: a new id again; the oldest of the stream, still waiting: not again", () => {
    const sent = { sequence: 10, at: 1_000, times: 2 };
    expect(overdueMessageId("e", sent, "overdue", reach)).toBe("e:10");
    expect(overdueMessageId("e", sent, "overdue", { ...reach, deliveredUpTo: 5 })).toBeNull();
  });

  test.each([
    ["still waiting for its turn", 51, 1_000, 1, null],
    ["beyond the end of the stream, which was lost", 101, 1_000, 1, "e"],
    ["sent to a stream of before this one", 50, 999, 1, "e"],
    ["given out: after a fault of the disk its place may have been another's", 50, 1_000, 1, "e:50"],
    ["given out, and sent again before: no sooner than overdue", 50, 1_000, 2, null],
  ])("late, %s", (_, sequence, at, times, expected) => {
    expect(overdueMessageId("e", { sequence, at, times }, "late", reach)).toBe(expected);
  });
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

  test("of an empty page stays where it was", () => {
    expect(lastSeen([], "c")).toBe("c");
  });
});
