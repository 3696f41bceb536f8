import { expect, test } from "@jest/globals";
import {
  EVENT_KEPT_SECONDS,
  isExpired,
  MAX_DELIVERY_MS,
  RECORD_KEPT_SECONDS,
  shownSince,
} from "../../../services/delivery/records/retention.rules.ts";
import { EVENT_RETENTION_MS } from "../../../shared/contract/durations.ts";

const DAY_MS = 86_400_000;

test("events can be replayed for 30 days, and are kept for as long as a replay of the last day can take", () => {
  expect(EVENT_RETENTION_MS).toBe(2_592_000_000);
  expect(EVENT_KEPT_SECONDS * 1_000).toBe(EVENT_RETENTION_MS + MAX_DELIVERY_MS);
});

test("isExpired: from a millisecond after 30 days", () => {
  const occurredAt = new Date("2026-05-01T00:00:00.000Z");
  const end = occurredAt.getTime() + EVENT_RETENTION_MS;
  expect([end, end + 1].map((now) => isExpired(occurredAt, now))).toEqual([false, true]);
});

test.each([
  ["2026-06-15T00:00:00.000Z", "2026-03-17T00:00:00.000Z"],
  ["2026-06-15T12:34:56.789Z", "2026-03-17T00:00:00.000Z"],
  ["2026-06-15T23:59:59.999Z", "2026-03-17T00:00:00.000Z"],
])("at %s the history begins at %s, 90 whole days before, and nothing of it is removed yet", (now, since) => {
  expect(shownSince(Date.parse(now)).toISOString()).toBe(since);
  const oldestMs = Date.parse(now) - Date.parse(since);
  expect(oldestMs).toBeGreaterThanOrEqual(90 * DAY_MS);
  expect(RECORD_KEPT_SECONDS * 1_000 - oldestMs).toBeGreaterThan(DAY_MS - 1);
});
