import { describe, expect, test } from "@jest/globals";
import { EVENT_TYPES, type EventDraft, outboxEntry } from "../../../shared/contract/events.ts";
import { isUuid } from "../../../shared/ids.ts";

const NOW = Date.UTC(2026, 4, 6, 7, 8, 9, 10);
const clock = { now: () => NOW };

const draft: EventDraft = {
  eventType: "business.profile.created",
  partnerId: "0199a000-0000-7000-8000-000000000001",
  correlation: {
    correlationId: "c1",
    requestId: "r1",
    customerId: "0199a000-0000-7000-8000-000000000002",
    partnerCustomerId: "shop-1",
    sequence: 1,
  },
  data: { verificationStatus: "PendingVerification", ubos: [] },
};

describe("outboxEntry", () => {
  test("holds the envelope as receivers get it: these keys in this order", () => {
    const entry = outboxEntry(draft, clock);
    const expected = {
      eventId: entry.eventId,
      eventType: draft.eventType,
      eventVersion: 1,
      occurredAt: "2026-05-06T07:08:09.010Z",
      partnerId: draft.partnerId,
      correlation: draft.correlation,
      data: draft.data,
    };
    expect(entry.body).toBe(JSON.stringify(expected));
  });

  test("repeats outside the body what the outbox needs, and keeps the trace out of the body", () => {
    const entry = outboxEntry({ ...draft, traceparent: "00-aa-bb-01" }, clock);
    expect(entry).toMatchObject({
      eventType: draft.eventType,
      partnerId: draft.partnerId,
      occurredAt: "2026-05-06T07:08:09.010Z",
      traceparent: "00-aa-bb-01",
    });
    expect(isUuid(entry.eventId)).toBe(true);
    expect(entry.body).not.toContain("00-aa-bb-01");
    expect(outboxEntry(draft, clock).traceparent).toBeNull();
  });
});

describe("the event catalogue", () => {
  test("every row has version, owner and description", () => {
    for (const { version, owner, description } of EVENT_TYPES) {
      expect(version).toBe(1);
      expect(owner).not.toBe("");
      expect(description).toMatch(/^[A-Z].*\.$/);
    }
  });
});
