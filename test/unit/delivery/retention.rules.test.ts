import { expect, test } from "@jest/globals";
import {
  EVENT_RETENTION_MS,
  isExpired,
  RECORD_RETENTION_MS,
} from "../../../services/delivery/history/retention.rules.ts";

test("events are kept for 30 days, deliveries are shown for 90", () => {
  expect([EVENT_RETENTION_MS, RECORD_RETENTION_MS]).toEqual([2_592_000_000, 7_776_000_000]);
});

test("isExpired: from a millisecond after 30 days", () => {
  const occurredAt = new Date("2026-01-01T00:00:00.000Z");
  const end = Date.parse("2026-01-31T00:00:00.000Z");
  expect([end, end + 1].map((now) => isExpired(occurredAt, now))).toEqual([false, true]);
});
