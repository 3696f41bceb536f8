import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { connect } from "nats";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { CONSUMERS, eventSubject, streamName } from "../../../shared/jetstream/streams.ts";
import { startOwnNats } from "../../support/servers/own-nats.ts";
import { aTestNamespace } from "../../support/servers/servers.ts";
import {
  type EventPath,
  openEventPath,
  POOL_SIZE,
  type Source,
  type Step,
} from "../../support/stage/event-path.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const nats = ofFile(startOwnNats, ({ end }) => end());
let namespace: string;
let path: EventPath;

beforeEach(async () => {
  namespace = aTestNamespace();
  path = await openEventPath(namespace, nats.url);
});
afterEach(() => path.close());

const byId = (a: { _id: string }, b: { _id: string }) => (a._id < b._id ? -1 : 1);
const asRecorded = (entries: OutboxEntry[]) =>
  entries.map(({ eventId, body }) => ({ _id: eventId, envelopeJson: body })).sort(byId);

/** Each event once, with the bytes it was committed with, and none left in an outbox. */
async function expectAllRecorded(entries: OutboxEntry[]) {
  await path.untilConfirmed();
  const recorded = await path.recorded();
  const found = recorded.map(({ _id, envelopeJson }) => ({ _id, envelopeJson })).sort(byId);
  expect(found).toEqual(asRecorded(entries));
}

const inStream = async ({ jetstream }: Source) => (await jetstream.numbers("EVENTS", []))?.lastSequence;

/** Longer than the time between a commit and its publishing, also on a busy machine. */
const sweepMs = 1_000;

/** As if all that waits had occurred two minutes ago. */
const ageAll = () => {
  const occurredAt = new Date(Date.now() - 120_000).toISOString();
  return path.collection.updateMany({}, { $set: { "outbox.$[].occurredAt": occurredAt } });
};

/** Ten commits at once, as many as the pool has connections. */
async function commitMany(changes: number, eventsEach = 1): Promise<OutboxEntry[]> {
  const entries: OutboxEntry[] = [];
  let started = 0;
  const work = async () => {
    while (started < changes) {
      started += 1;
      entries.push(...(await path.commit(eventsEach)));
    }
  };
  await Promise.all(Array.from({ length: POOL_SIZE }, work));
  return entries;
}

describe("outbox", () => {
  test("a committed event is recorded byte for byte with its trace, then leaves the outbox", async () => {
    const source = await path.aSource();
    await path.aRecorder();
    const entries = await path.commit(3);
    source.outbox.publish(entries);
    await expectAllRecorded(entries);
    const event = await path.db.collection("events").findOne({ customerId: "customer-1", sequence: 2 });
    expect(event).toMatchObject({
      eventType: "business.profile.created",
      eventVersion: 1,
      traceparent: entries[0]?.traceparent,
    });
  });

  test("committed while NATS is down: recorded after it is back", async () => {
    const source = await path.aSource();
    await path.aRecorder();
    await nats.stop();
    await waitFor(() => !source.jetstream.connected(), "the loss to be noticed");
    const entries = await commitMany(20);
    source.outbox.publish(entries);
    expect((await path.recorded()).length).toBe(0);
    await nats.start();
    await expectAllRecorded(entries);
  });

  test("JetStream store wiped before anybody took the events: published again by the reconciler", async () => {
    const source = await path.aSource();
    const entries = await commitMany(30);
    source.outbox.publish(entries);
    await ageAll();
    const inStream = async () => Number((await gauges(source)).pbo_outbox_unconfirmed) === 30;
    await waitFor(inStream, "all to be in the stream");
    await nats.restartEmpty();
    await path.aRecorder();
    await expectAllRecorded(entries);
    expect(Number((await gauges(source)).pbo_outbox_republished_total)).toBeGreaterThanOrEqual(30);
  });

  test("JetStream store wiped under way, consumer running: nothing is lost, nothing is recorded twice", async () => {
    const source = await path.aSource();
    await path.aRecorder();
    const before = await commitMany(50);
    source.outbox.publish(before);
    await nats.restartEmpty();
    const after = await commitMany(50);
    source.outbox.publish(after);
    await expectAllRecorded([...before, ...after]);
  });

  test("nobody consumes: events that wait in the stream are not published again by any process", async () => {
    const source = await path.aSource({ sweepMs });
    const reader = await path.aRecorder();
    await reader.stop();
    const entries = await commitMany(10);
    source.outbox.publish(entries);
    const other = await path.aSource({ sweepMs });
    const waited = async () =>
      Number((await gauges(other)).pbo_outbox_oldest_age_seconds) > 3 * (sweepMs / 1_000);
    await waitFor(waited, "several sweeps");
    // All are lines of a single message.
    expect(await inStream(source)).toBe(1);
    for (const side of [source, other])
      expect(Number((await gauges(side)).pbo_outbox_republished_total)).toBe(0);
    await path.aRecorder();
    await expectAllRecorded(entries);
  });

  test("a message that is taken and never settled: neither its event nor any other is held up", async () => {
    const source = await path.aSource();
    const ackWaitMs = 60_000;
    await (await path.aRecorder({ ackWaitMs })).stop();
    const held = await path.commit();
    source.outbox.publish(held);
    const connection = await connect({ servers: nats.url.replace("nats://", "") });
    try {
      const consumer = await connection
        .jetstream()
        .consumers.get(streamName(namespace, "EVENTS"), CONSUMERS.deliveryRecord.name);
      expect(await consumer.next({ expires: 10_000 })).not.toBeNull();
      await path.aRecorder({ ackWaitMs });
      const neverPublished = await path.commit();
      await expectAllRecorded([...held, ...neverPublished]);
    } finally {
      await connection.close();
    }
  });

  test("a backlog of many pages that no process has sent: all swept", async () => {
    const entries = await commitMany(700, 2);
    await path.aRecorder();
    await path.aSource();
    await expectAllRecorded(entries);
  });

  test("two processes of the same source: nothing is recorded twice", async () => {
    const [one, two] = [await path.aSource(), await path.aSource()];
    await path.aRecorder();
    const entries = await commitMany(100);
    one.outbox.publish(entries.slice(0, 50));
    two.outbox.publish(entries.slice(50));
    await expectAllRecorded(entries);
  });

  test("stop: what was published before it has reached the stream", async () => {
    const source = await path.aSource({ sweepMs });
    const reader = await path.aRecorder();
    await reader.stop();
    const observer = await path.aSource({ sweepMs });
    const entries = await commitMany(200);
    source.outbox.publish(entries);
    await source.outbox.stop();
    // Messages of 25 events.
    expect(await inStream(observer)).toBe(200 / 25);
  });

  test("gauges tell how many wait, how old the oldest is and when the sweep ran", async () => {
    const source = await path.aSource();
    await commitMany(3);
    await ageAll();
    await waitFor(async () => Number((await gauges(source)).pbo_outbox_unconfirmed) === 3, "three published");
    const seen = await gauges(source);
    expect(Number(seen.pbo_outbox_pending)).toBe(0);
    expect(Number(seen.pbo_outbox_oldest_age_seconds)).toBeGreaterThan(0);
    expect(Number(seen.pbo_outbox_last_sweep_timestamp_seconds)).toBeGreaterThan(1e9);
    await path.aRecorder();
    await waitFor(async () => Number((await gauges(source)).pbo_outbox_oldest_age_seconds) === 0, {
      what: "none left",
    });
    expect(Number((await gauges(source)).pbo_outbox_unconfirmed)).toBe(0);
  });
});

async function gauges(source: { metrics(): Promise<string> }): Promise<Record<string, string>> {
  const lines = (await source.metrics()).split("\n").filter((line) => line.startsWith("pbo_outbox"));
  return Object.fromEntries(
    lines.map((line) => [line.replace(/[{ ].*/, ""), line.slice(line.lastIndexOf(" ") + 1)]),
  );
}

describe("a crash between any two steps loses no event and records none twice", () => {
  const steps: [Step, "source" | "recorder"][] = [
    ["before publish", "source"],
    ["after publish", "source"],
    ["before record", "recorder"],
    ["half-way in record", "recorder"],
    ["after record", "recorder"],
    ["before confirm", "recorder"],
    ["before removal", "source"],
    ["after removal", "source"],
  ];

  test.each(steps)("%s, by the %s", async (diesAt, who) => {
    const source = await path.aSource(who === "source" ? { diesAt } : {});
    const recorder = await path.aRecorder(who === "recorder" ? { diesAt } : {});
    const entries = await commitMany(20, 2);
    source.outbox.publish(entries);
    await path.died;
    await (who === "source" ? source : recorder).die();
    await (who === "source" ? path.aSource() : path.aRecorder());
    const more = await commitMany(5);
    await expectAllRecorded([...entries, ...more]);
    expect(await path.deadLetters()).toEqual([]);
  });

  test("append without publish: the process dies right after its write", async () => {
    const entries = await commitMany(20);
    await path.aRecorder();
    await path.aSource();
    await expectAllRecorded(entries);
  });

  test("both sides die at once, with a backlog on the way", async () => {
    const source = await path.aSource();
    const recorder = await path.aRecorder({ diesAt: "after record" });
    const entries = await commitMany(100);
    source.outbox.publish(entries);
    await path.died;
    await Promise.all([source.die(), recorder.die()]);
    await path.aRecorder();
    await path.aSource();
    await expectAllRecorded(entries);
  });
});

describe("malformed messages", () => {
  test("are kept as dead letters and given up; the events beside them are recorded", async () => {
    const source = await path.aSource();
    await path.aRecorder();
    const subject = eventSubject(namespace, "p1", "webhook.test");
    await source.jetstream.publish(subject, "no JSON", { id: "bad" });
    await source.jetstream.publish(subject, "{}", { id: "empty" });
    const entries = await path.commit();
    source.outbox.publish(entries);
    await expectAllRecorded(entries);
    // On a busy machine a sweep may publish the event once more.
    const handled = async () => {
      const numbers = await source.jetstream.numbers("EVENTS", [CONSUMERS.deliveryRecord]);
      const [consumer] = numbers?.consumers ?? [];
      return consumer && Number(numbers?.lastSequence) >= 3 && consumer.pending + consumer.ackPending === 0;
    };
    await waitFor(handled, "nothing to come again");
    const letters = await path.deadLetters();
    expect(letters.map(({ _id, reason, times }) => [_id, reason, times]).sort()).toEqual([
      ["delivery-record:bad", "the body is not a JSON object", 1],
      ["delivery-record:empty", "eventId is not a UUID", 1],
    ]);
  });
});

describe("entries that cannot be read", () => {
  const MANY_MIB = "x".repeat(3 * 1_048_576);
  const DAMAGES: Record<string, (entry: OutboxEntry) => unknown> = {
    "no body": ({ body: _, ...entry }) => entry,
    "a body that is no JSON": (entry) => ({ ...entry, body: "not json" }),
    "no date": ({ occurredAt: _, ...entry }) => entry,
    "no event id": ({ eventId: _, ...entry }) => entry,
    "fields of another type": (entry) => ({ ...entry, partnerId: 7, body: { is: "no text" } }),
    "a body of several MiB": (entry) => ({ ...entry, body: JSON.stringify({ text: MANY_MIB }) }),
  };
  const anEvent = async (): Promise<OutboxEntry> => {
    const [entry] = await path.commit();
    await path.collection.deleteOne({ "outbox.eventId": entry?.eventId });
    return entry as OutboxEntry;
  };
  /** Before the event that the customer has already. */
  const damage = (customer: OutboxEntry, entries: unknown[]) =>
    path.collection.updateOne(
      { "outbox.eventId": customer.eventId },
      { $push: { outbox: { $each: entries, $position: 0 } } as never },
    );
  const reasons = async () => (await path.deadLetters()).map(({ reason }) => reason);

  test.each([...Object.keys(DAMAGES).map((kind) => [kind, []] as const), ["no body", [null]] as const])(
    "%s, beside %j: dead-lettered; the events of its customer and of all others are recorded",
    async (kind, beside) => {
      const customers = await commitMany(3);
      await damage(customers[1] as OutboxEntry, [DAMAGES[kind]?.(await anEvent()), ...beside]);
      await path.aRecorder();
      const source = await path.aSource();
      await expectAllRecorded(customers);
      expect(await reasons()).toHaveLength(1 + beside.length);
      const counted = /pbo_dead_letters_total\{.*consumer="profile-outbox".*\} (\d+)/.exec(
        await source.metrics(),
      );
      expect(Number(counted?.[1])).toBe(1 + beside.length);
    },
  );

  test("all kinds, on both sides of a page boundary: every other event is recorded", async () => {
    const customers = await commitMany(600);
    for (const at of [0, 248, 249, 250, 251, 500, 599]) {
      const entries = await Promise.all(Object.values(DAMAGES).map(async (kind) => kind(await anEvent())));
      await damage(customers[at] as OutboxEntry, [null, ...entries]);
    }
    await path.aRecorder();
    await path.aSource();
    await expectAllRecorded(customers);
    expect(await reasons()).toHaveLength(7 * (1 + Object.keys(DAMAGES).length));
  });

  test("given to publish: the others of that moment are published, and no process ends", async () => {
    // Before a sweep can find them in their outboxes.
    const broken = await Promise.all(Object.values(DAMAGES).map(async (kind) => kind(await anEvent())));
    const source = await path.aSource();
    await path.aRecorder();
    const customers = await commitMany(2);
    source.outbox.publish([null, ...broken, ...customers] as OutboxEntry[]);
    await expectAllRecorded(customers);
  });

  test("an entry is removed by its exact value: one with a field more stays", async () => {
    const [customer] = await path.commit();
    const event = await anEvent();
    const bare = { eventType: event.eventType };
    await damage(customer as OutboxEntry, [bare, { ...event, traceparent: "kept" }]);
    await path.aSource();
    const left = async () => {
      const holder = await path.collection.findOne({ "outbox.eventId": event.eventId });
      return holder?.outbox.map(({ eventId }: OutboxEntry) => eventId);
    };
    await waitFor(async () => (await left())?.length === 2, "the removal");
    expect(await left()).toEqual([event.eventId, customer?.eventId]);
    expect(await reasons()).toHaveLength(1);
  });
});
