import { expect, test } from "@jest/globals";
import { eventHeaders, readEvent } from "../../../shared/events/event-message.rules.ts";

const arrived = (text: string, headers: Record<string, string>) =>
  readEvent({ text: () => text, header: (name) => headers[name] ?? null });

test.each([
  ["a trace", "00-trace"],
  ["no trace", null],
])("an event with %s arrives with its text, source and trace", (_, traceparent) => {
  const text = JSON.stringify({ text: "line\nbreak\u2028" });
  expect(arrived(text, eventHeaders("profile", traceparent))).toEqual({
    text,
    source: "profile",
    traceparent,
  });
});

test("a message without headers has neither source nor trace", () => {
  expect(arrived("{}", {})).toEqual({ text: "{}", source: null, traceparent: null });
});
