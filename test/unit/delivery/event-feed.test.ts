import { describe, expect, test } from "@jest/globals";
import { encodeFeedCursor, parseFeedQuery } from "../../../services/delivery/history/event-feed.ts";
import { encodeCursor } from "../../../shared/input/cursor.rules.ts";

const NOW = Date.parse("2026-03-01T00:00:00.000Z");
const DAY_MS = 86_400_000;
const EVENT_ID = "0199f2c4-7a10-7000-8000-000000000001";
const secondsOf = (daysAgo: number) => (NOW - daysAgo * DAY_MS) / 1_000;
const position = (daysAgo: number) => ({ at: { t: secondsOf(daysAgo), i: 7 }, id: EVENT_ID });
const beginning = { at: { t: secondsOf(30), i: 0 }, id: "00000000-0000-0000-0000-000000000000" };

describe("parseFeedQuery", () => {
  test("without a cursor: from 30 days ago", () => {
    expect(parseFeedQuery({}, NOW)).toEqual({ after: beginning, pageSize: 50 });
  });

  test("with a cursor: after that event", () => {
    const query = { cursor: encodeFeedCursor(position(3)), pageSize: "7" };
    expect(parseFeedQuery(query, NOW)).toEqual({ after: position(3), pageSize: 7 });
  });

  test("the cursor of an empty first page is one, too", () => {
    const later = parseFeedQuery({ cursor: encodeFeedCursor(beginning) }, NOW - 1_000);
    expect(later.after).toEqual(beginning);
  });

  test("a cursor older than 30 days: from 30 days ago", () => {
    expect(parseFeedQuery({ cursor: encodeFeedCursor(position(31)) }, NOW).after).toEqual(beginning);
  });

  test.each([
    "x",
    "e30",
    Buffer.from(`1 ${EVENT_ID} x`).toString("base64url"),
    Buffer.from("1 a").toString("base64url"),
    encodeCursor("1.x", EVENT_ID),
    "\u0000",
    ["a", "b"],
  ])("a cursor %j: refused", (cursor) => expect(() => parseFeedQuery({ cursor }, NOW)).toThrow("cursor"));

  test.each(["0", "201", "x"])("a page size of %s: refused", (pageSize) =>
    expect(() => parseFeedQuery({ pageSize }, NOW)).toThrow("pageSize"),
  );
});
