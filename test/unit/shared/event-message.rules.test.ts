import { describe, expect, test } from "@jest/globals";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import {
  groupForMessages,
  MAX_EVENTS_IN_MESSAGE,
  messageIdOf,
  readMessage,
  writeMessage,
} from "../../../shared/events/event-message.rules.ts";

let last = 0;
const anEntry = (of: Partial<OutboxEntry> = {}): OutboxEntry => {
  last += 1;
  const eventId = `e${last}`;
  const facts = { eventType: "business.profile.created", partnerId: "p1", occurredAt: "", traceparent: null };
  return { eventId, body: JSON.stringify({ eventId, text: "line\nbreak\u2028" }), ...facts, ...of };
};
const some = (count: number, of: Partial<OutboxEntry> = {}) =>
  Array.from({ length: count }, () => anEntry(of));

const arrived = ({ body, headers }: ReturnType<typeof writeMessage>) => ({
  text: () => body,
  header: (name: string) => headers[name] ?? null,
});

describe("groupForMessages", () => {
  test("one message for the events of a partner and a type, in their order", () => {
    const a = some(2);
    const b = some(1, { eventType: "business.person.added" });
    const c = some(1, { partnerId: "p2" });
    const d = some(1);
    expect(groupForMessages([...a, ...b, ...c, ...d])).toEqual([[...a, ...d], b, c]);
  });

  test("no message is larger than allowed, and every event is in one", () => {
    const many = some(2 * MAX_EVENTS_IN_MESSAGE + 1);
    const groups = groupForMessages(many);
    expect(groups.map((group) => group.length)).toEqual([25, 25, 1]);
    expect(groups.flat()).toEqual(many);
  });

  test("large events travel alone", () => {
    const large = some(3, { body: "x".repeat(200_000) });
    expect(groupForMessages(large).map((group) => group.length)).toEqual([1, 1, 1]);
    const [half] = some(1, { body: "x".repeat(131_072) }) as [OutboxEntry];
    expect(groupForMessages([half, half])).toHaveLength(1);
    expect(groupForMessages([half, { ...half, body: `${half.body}x` }])).toHaveLength(2);
  });

  test("nothing makes no message", () => {
    expect(groupForMessages([])).toEqual([]);
  });
});

describe("messageIdOf", () => {
  test("an event alone has its own id; together with others it has another", () => {
    const [one, two, three] = some(3) as [OutboxEntry, OutboxEntry, OutboxEntry];
    const ids = [[one], [one, two], [one, two, three], [two], [two, three]].map(messageIdOf);
    expect(ids[0]).toBe(one.eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(() => messageIdOf([])).toThrow("needs an event");
  });
});

describe("writeMessage and readMessage", () => {
  test("give every event back byte for byte, with its source and its own trace", () => {
    const entries = [anEntry({ traceparent: "t1" }), anEntry(), anEntry({ traceparent: "t3" })];
    expect(readMessage(arrived(writeMessage(entries, "profile")))).toEqual([
      { text: entries[0]?.body, source: "profile", traceparent: "t1" },
      { text: entries[1]?.body, source: "profile", traceparent: null },
      { text: entries[2]?.body, source: "profile", traceparent: "t3" },
    ]);
  });

  test("without a trace no header speaks of one", () => {
    expect(Object.keys(writeMessage(some(2), "document").headers)).toEqual(["Pbo-Source"]);
  });

  test("a foreign message names no source", () => {
    expect(readMessage({ text: () => "{}", header: () => null })).toEqual([
      { text: "{}", source: null, traceparent: null },
    ]);
  });
});
