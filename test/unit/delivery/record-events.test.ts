import { describe, expect, test } from "@jest/globals";
import { type RecordEventsDeps, recordEvents } from "../../../services/delivery/intake/record-events.ts";
import type { NewEvent } from "../../../services/delivery/records/event.rules.ts";
import { outboxEntry } from "../../../shared/contract/events.ts";
import type { StreamMessage } from "../../../shared/jetstream/jetstream.ts";

const clock = { now: () => Date.parse("2026-03-01T12:00:00Z") };

function anEnvelope(): { eventId: string; body: string } {
  const correlation = {
    correlationId: "c",
    requestId: "r",
    customerId: "1",
    partnerCustomerId: null,
    sequence: 1,
  };
  return outboxEntry(
    { eventType: "business.profile.created", partnerId: "p1", correlation, data: {} },
    clock,
  );
}

/** Writes down everything that happens, in order. */
function aStage(overrides: Partial<RecordEventsDeps> = {}) {
  const log: string[] = [];
  const counts: Record<string, number> = {};
  const deps: RecordEventsDeps = {
    schedule: async (events) => {
      log.push(`schedule ${events.length}`);
      return { recorded: events.length };
    },
    confirm: (ids) => void log.push(`confirm ${ids.length}`),
    deadLetter: async (message, reason) => void log.push(`give up ${message.id}: ${reason}`),
    count: (result, by) => {
      counts[result] = (counts[result] ?? 0) + by;
    },
    clock,
    ...overrides,
  };
  const message = (id: string, text: string, traces: string | null = null): StreamMessage => ({
    subject: "events.p1.x",
    id,
    sequence: 1,
    deliveryCount: 1,
    header: (name) => ({ traceparent: traces })[name] ?? null,
    text: () => text,
    ack: () => void log.push(`ack ${id}`),
    nak: () => void log.push(`nak ${id}`),
    term: () => void log.push(`term ${id}`),
    working: () => undefined,
    settled: () => false,
  });
  const handler = recordEvents(deps);
  const handle = (batch: readonly StreamMessage[]) => handler(batch);
  return { log, counts, message, handle };
}

describe("recordEvents", () => {
  test("records the whole batch at once, then acknowledges, then confirms", async () => {
    const { log, counts, message, handle } = aStage();
    const batch = ["a", "b"].map((id) => message(id, anEnvelope().body));
    await handle([...batch, message("c", anEnvelope().body)]);
    expect(log).toEqual(["schedule 3", "ack a", "ack b", "ack c", "confirm 3"]);
    expect(counts).toEqual({ recorded: 3, duplicate: 0 });
  });

  test("an event is recorded with its text and trace", async () => {
    const planned: NewEvent[] = [];
    const { counts, message, handle } = aStage({
      schedule: async (events) => {
        planned.push(...events);
        return { recorded: events.length };
      },
    });
    const [one, two] = [anEnvelope(), anEnvelope()];
    await handle([message("a", one.body, "trace-1"), message("b", two.body)]);
    expect(planned.map(({ _id, envelopeJson, traceparent }) => [_id, envelopeJson, traceparent])).toEqual([
      [one.eventId, one.body, "trace-1"],
      [two.eventId, two.body, null],
    ]);
    expect(counts.recorded).toBe(2);
  });

  test("each event is traced from the beginning of its batch, once it is recorded", async () => {
    const traced: [string, number][] = [];
    const [one, two] = [anEnvelope(), anEnvelope()];
    const { message, handle } = aStage({ trace: ({ _id }, startMs) => void traced.push([_id, startMs]) });
    await handle([message("a", one.body), message("b", two.body)]);
    expect(traced).toEqual([one, two].map(({ eventId }) => [eventId, clock.now()]));
  });

  test("when recording fails: acknowledges and confirms nothing, and the failure is told", async () => {
    const { log, message, handle } = aStage({
      schedule: async () => {
        throw new Error("database away");
      },
    });
    await expect(handle([message("a", anEnvelope().body)])).rejects.toThrow("database away");
    expect(log).toEqual([]);
  });

  test("an event already recorded: acknowledged and confirmed again, counted as duplicate", async () => {
    const { log, counts, message, handle } = aStage({ schedule: async () => ({ recorded: 0 }) });
    await handle([message("a", anEnvelope().body)]);
    expect(log).toEqual(["ack a", "confirm 1"]);
    expect(counts).toMatchObject({ recorded: 0, duplicate: 1 });
  });

  test("a malformed message is stored before it is given up, and the others go on", async () => {
    const { log, counts, message, handle } = aStage();
    await handle([message("bad", "{}"), message("good", anEnvelope().body)]);
    expect(log).toEqual([
      "give up bad: eventId is not a UUID",
      "schedule 1",
      "ack bad",
      "ack good",
      "confirm 1",
    ]);
    expect(counts.malformed).toBe(1);
  });

  test("a malformed message that cannot be stored: not given up", async () => {
    const { log, message, handle } = aStage({
      deadLetter: async () => {
        throw new Error("database away");
      },
    });
    await expect(handle([message("bad", "{}")])).rejects.toThrow("database away");
    expect(log).toEqual([]);
  });
});
