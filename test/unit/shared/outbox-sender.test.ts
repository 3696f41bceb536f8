import { expect, test } from "@jest/globals";
import pino from "pino";
import { systemClock } from "../../../shared/clock.ts";
import type { OutboxEntry } from "../../../shared/events/events.ts";
import { entryState, overdueMessageId, type Place } from "../../../shared/outbox/outbox.rules.ts";
import { createOutboxSender } from "../../../shared/outbox/outbox-sender.ts";

const entry = (eventId: string): OutboxEntry => ({
  eventId,
  partnerId: "p1",
  eventType: "webhook.test",
  occurredAt: new Date().toISOString(),
  traceparent: null,
  body: "{}",
});

/** Sends events one after the other; the stream gives them these places. */
async function sentAt(places: readonly Place[]) {
  const left = [...places];
  const sender = createOutboxSender({
    source: "profile",
    jetstream: { publish: async () => left.shift() as Place },
    clock: systemClock,
    config: { namespace: "test" },
    logger: pino({ level: "silent" }),
  });
  for (const index of places.keys()) await sender.send([entry(`e${index}`)], `e${index}`);
  return places.map((_, index) => sender.sent(`e${index}`));
}

const at = (sequence: number, duplicate = false): Place => ({ sequence, duplicate });

/** As the sweep judges it, long after the places were given out anew. */
function isSentAgainAtOnce(sent: Awaited<ReturnType<typeof sentAt>>[number]): boolean {
  if (typeof sent?.sequence !== "number") throw new Error("not sent");
  const state = entryState(Date.now(), sent, Date.now(), { sweepMs: 2_000, reconcileMs: 120_000 });
  const reach = { createdAtMs: 0, firstSequence: 1, lastSequence: 999, deliveredUpTo: 999, handledUpTo: 999 };
  const place = { at: sent.at, sequence: sent.sequence };
  return state === "overdue" && overdueMessageId("e", place, state, reach) === "e";
}

test("a store that was put back: what stood behind the place of the next message is sent again at once", async () => {
  const sent = await sentAt([at(40), at(41), at(42), at(41)]);
  expect(sent.map(isSentAgainAtOnce)).toEqual([false, true, true, false]);
});

test("a stream that was made anew: all that was sent before", async () => {
  const sent = await sentAt([at(40), at(41), at(1), at(2)]);
  expect(sent.map(isSentAgainAtOnce)).toEqual([true, true, false, false]);
});

test("a duplicate has the place of the first one: nothing went back", async () => {
  const sent = await sentAt([at(40), at(41), at(40, true), at(42)]);
  expect(sent.map(isSentAgainAtOnce)).toEqual([false, false, false, false]);
});

test("answers in another order than the messages: nothing went back", async () => {
  const answers: ((place: Place) => void)[] = [];
  const sender = createOutboxSender({
    source: "profile",
    jetstream: { publish: () => new Promise<Place>((resolve) => answers.push(resolve)) },
    clock: systemClock,
    config: { namespace: "test" },
    logger: pino({ level: "silent" }),
  });
  const both = [sender.send([entry("a")], "a"), sender.send([entry("b")], "b")];
  answers[1]?.(at(2));
  answers[0]?.(at(1));
  await Promise.all(both);
  expect([sender.sent("a")?.sequence, sender.sent("b")?.sequence]).toEqual([1, 2]);
});
