import { describe, expect, test } from "@jest/globals";
import { entryFault, shapeFault, sortEntries } from "../../../shared/outbox/outbox-entry.rules.ts";

const eventId = "019caa00-0000-7000-8000-000000000001";
const entry = {
  eventId,
  eventType: "business.profile.created",
  partnerId: "019caa00-0000-7000-8000-00000000000a",
  occurredAt: "2026-03-01T12:00:00.000Z",
  body: JSON.stringify({ eventId }),
  traceparent: null,
};

describe("an entry of an outbox", () => {
  test("with everything: nothing is wrong", () => {
    expect([shapeFault(entry), entryFault(entry)]).toEqual([null, null]);
  });

  test.each([
    ["null", null, "the entry is no object"],
    ["a list", [entry], "the entry is no object"],
    ["no id", { ...entry, eventId: undefined }, "eventId is not a UUID"],
    ["an id that would end a header", { ...entry, eventId: `${eventId}\r\n` }, "eventId is not a UUID"],
    ["no type", { ...entry, eventType: "" }, "eventType is missing or unusable"],
    ["a type with a wildcard", { ...entry, eventType: "business.>" }, "eventType is missing or unusable"],
    ["a partner of another type", { ...entry, partnerId: 7 }, "partnerId is missing or unusable"],
    ["a partner with a wildcard", { ...entry, partnerId: "*" }, "partnerId is missing or unusable"],
    ["no date", { ...entry, occurredAt: undefined }, "occurredAt is not a time"],
    ["a date that is none", { ...entry, occurredAt: "soon" }, "occurredAt is not a time"],
    ["no body", { ...entry, body: null }, "the body is no text"],
    ["a body above the limit", { ...entry, body: " ".repeat(1_048_577) }, "the body is too large"],
  ])("%s: refused without parsing the body", (_, value, fault) => {
    expect(shapeFault(value)).toBe(fault);
  });

  test.each([
    ["no JSON", "not json", "the body is not a JSON object"],
    ["a JSON list", "[]", "the body is not a JSON object"],
    ["the id of another event", '{"eventId":"x"}', "the body has another eventId"],
  ])("a body that is %s: refused", (_, body, fault) => {
    expect([shapeFault({ ...entry, body }), entryFault({ ...entry, body })]).toEqual([null, fault]);
  });

  test("a body at the limit: nothing is wrong", () => {
    const padded = entry.body.padEnd(1_048_576);
    expect(entryFault({ ...entry, body: padded })).toBeNull();
  });

  test("sorted: each entry once, the unreadable ones with their fault", () => {
    expect(sortEntries([null, entry, 5])).toEqual({
      readable: [entry],
      unreadable: [
        { value: null, fault: "the entry is no object" },
        { value: 5, fault: "the entry is no object" },
      ],
    });
  });
});
