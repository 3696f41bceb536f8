import { describe, expect, test } from "@jest/globals";
import { type FeedRead, feedViolations } from "../../chaos/lab/feed.rules.ts";
import { lateWebhooks } from "../../chaos/lab/late-webhooks.rules.ts";

const ofCustomer = (customerId: string, sequence: number) => ({
  eventId: `${customerId}-${sequence}`,
  partnerId: "acme",
  customerId,
  sequence,
  feedAtMs: sequence,
});
const test1 = { eventId: "t1", partnerId: "acme", customerId: null, sequence: null, feedAtMs: 2 };
const EVENTS = [
  ...[ofCustomer("a", 1), ofCustomer("b", 1), ofCustomer("a", 2), ofCustomer("a", 3), test1],
  { ...ofCustomer("c", 1), partnerId: "globex" },
];
const ACME = ["a-1", "b-1", "a-2", "t1", "a-3"];
const GLOBEX: FeedRead = { partnerId: "globex", followed: ["c-1"], again: ["c-1"] };

const reported = (followed: readonly string[], again: readonly string[] = followed): string[] =>
  feedViolations(EVENTS, [{ partnerId: "acme", followed, again }, GLOBEX]);
const without = (...ids: string[]) => ACME.filter((id) => !ids.includes(id));

describe("feedViolations", () => {
  test("a feed with each event once and in sequence has none", () => {
    expect(reported(ACME)).toEqual([]);
  });

  test.each<[string, string[], string[], string[]]>([
    [
      "a hole",
      without("a-2"),
      without("a-2"),
      [
        "recorded and missing from the feed: 1 (a-2)",
        "events of a customer out of sequence in the feed: 1 (a: 1 3)",
      ],
    ],
    ["a hole at the end", without("a-3"), without("a-3"), ["recorded and missing from the feed: 1 (a-3)"]],
    ["an event that vanished", ACME, without("t1"), ["recorded and missing from the feed: 1 (t1)"]],
    [
      "a swapped pair of a customer",
      ["a-2", "b-1", "a-1", "t1", "a-3"],
      ["a-2", "b-1", "a-1", "t1", "a-3"],
      ["events of a customer out of sequence in the feed: 1 (a: 2 1 3)"],
    ],
    [
      "a pair that is swapped when it is read again",
      ACME,
      ["b-1", "a-1", "a-2", "t1", "a-3"],
      ["in another order when the feed is read again: 1 (a-1 before b-1)"],
    ],
    ["a late appearance", without("t1"), ACME, ["appeared in the feed behind a cursor: 1 (t1)"]],
    [
      "a late appearance of a customer's event",
      without("a-2"),
      ACME,
      [
        "appeared in the feed behind a cursor: 1 (a-2)",
        "events of a customer out of sequence in the feed: 1 (a: 1 3)",
      ],
    ],
    [
      "an event that the last cursor does not lead to",
      without("a-3"),
      ACME,
      ["in the feed and not behind the last cursor: 1 (a-3)"],
    ],
    ["an event that is read twice", [...ACME, "a-1"], ACME, ["twice in the feed: 1 (a-1)"]],
    [
      "an event of another partner",
      [...ACME, "c-1"],
      [...ACME, "c-1"],
      ["in the feed of a partner that has no such event: 1 (c-1)"],
    ],
  ])("%s is reported", (_, followed, again, violations) => {
    expect(reported(followed, again)).toEqual(violations);
  });
});

test("an event that is too young for the feed is not judged", () => {
  const feed = { partnerId: "acme", followed: without("a-3"), again: ACME };
  const unplaced = { ...ofCustomer("a", 4), feedAtMs: null };
  expect(feedViolations([...EVENTS, unplaced], [feed], 3)).toEqual([]);
  expect(feedViolations([...EVENTS, unplaced], [feed], 4)).toEqual([
    "in the feed and not behind the last cursor: 1 (a-3)",
  ]);
  expect(feedViolations([...EVENTS, unplaced], [feed])).toContain(
    "recorded and missing from the feed: 1 (a-4)",
  );
});

describe("lateWebhooks", () => {
  const clocks = { fault: { kind: "process-clock" as const }, fromMs: 10_000, toMs: 30_000 };
  const event = (feedAtMs: number | null) => [{ eventId: "a-1", feedAtMs }];
  const arrived = (...times: number[]) => times.map((receivedAtMs) => ({ eventId: "a-1", receivedAtMs }));

  test("a webhook that is late by half of the skew is reported", () => {
    expect(lateWebhooks(event(10_000), arrived(25_000), [clocks])).toEqual([]);
    expect(lateWebhooks(event(10_000), arrived(25_001), [clocks])).toEqual([
      "received late beside a wrong clock: 1 (a-1 by 15 s)",
    ]);
  });

  test.each([
    ["of a repeated webhook, the first counts", event(10_000), arrived(11_000, 60_000), [clocks]],
    ["an event of an earlier round is not judged", event(9_999), arrived(60_000), [clocks]],
    ["an event without a place in the feed is not judged", event(null), arrived(60_000), [clocks]],
    [
      "another fault is an excuse",
      event(10_000),
      arrived(60_000),
      [clocks, { ...clocks, fault: { kind: "mongod-freeze" as const } }],
    ],
  ])("%s", (_, events, received, spans) => {
    expect(lateWebhooks(events, received, spans)).toEqual([]);
  });
});
