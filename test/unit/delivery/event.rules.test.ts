import { describe, expect, test } from "@jest/globals";
import { parseEvent } from "../../../services/delivery/records/event.rules.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";

const NOW = new Date("2026-03-01T12:00:00.000Z");
const correlation = {
  correlationId: "c",
  requestId: "r",
  customerId: "cust-1",
  partnerCustomerId: "ref",
  sequence: 4,
};
const entry = outboxEntry(
  { eventType: "business.profile.created", partnerId: "p-1", correlation, data: { customerId: "cust-1" } },
  { now: () => NOW.getTime() },
);
const changed = (change: object) => JSON.stringify({ ...JSON.parse(entry.body), ...change });

describe("parseEvent", () => {
  test("an envelope: the fields of the record and the exact text", () => {
    expect(parseEvent(entry.body, "00-t", NOW)).toEqual({
      event: {
        _id: entry.eventId,
        partnerId: "p-1",
        eventType: "business.profile.created",
        eventVersion: 1,
        occurredAt: NOW,
        customerId: "cust-1",
        sequence: 4,
        envelopeJson: entry.body,
        traceparent: "00-t",
        recordedAt: NOW,
      },
    });
  });

  test("without a customer: null for customer and sequence", () => {
    const parsed = parseEvent(changed({ correlation: { customerId: null, sequence: null } }), "00-t", NOW);
    expect(parsed).toMatchObject({ event: { customerId: null, sequence: null } });
  });

  test.each([
    ["no JSON", "{", "JSON"],
    ["an array", "[]", "JSON"],
    ["null", "null", "JSON"],
    ["nothing", "", "JSON"],
    ["no event id", changed({ eventId: undefined }), "eventId"],
    ["an id that is no UUID", changed({ eventId: "1" }), "eventId"],
    ["no type", changed({ eventType: "" }), "eventType"],
    ["a type that is no text", changed({ eventType: {} }), "eventType"],
    ["no partner", changed({ partnerId: null }), "partnerId"],
    ["a broken version", changed({ eventVersion: "1" }), "eventVersion"],
    ["no time", changed({ occurredAt: 5 }), "occurredAt"],
    ["a time that is none", changed({ occurredAt: "yesterday" }), "occurredAt"],
  ])("%s: malformed, and it says what", (_, text, reason) => {
    expect(parseEvent(text, "00-t", NOW)).toEqual({ malformed: expect.stringContaining(reason) });
  });
});
