import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { createOutboxSender } from "../../../shared/outbox/outbox-sender.ts";
import { createSweep } from "../../../shared/outbox/outbox-sweep.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const clock = { now: () => NOW };

const idOf = (index: number): string => `019caa00-0000-7000-8000-${String(index).padStart(12, "0")}`;

const anEntry = (index: number): OutboxEntry => ({
  eventId: idOf(index),
  eventType: "webhook.test",
  partnerId: "p",
  occurredAt: new Date(NOW - 60_000).toISOString(),
  body: JSON.stringify({ eventId: idOf(index) }),
  traceparent: null,
});

const heldAlone = (entry: OutboxEntry) => ({ _id: entry.eventId, outbox: [entry] });
const setAside = async () => undefined;

/** A broker that stores what it is given, unless it is away. */
function aSender() {
  const broker = { isAway: false, asked: 0, published: [] as string[] };
  const sender = createOutboxSender({
    jetstream: {
      publish: async (_subject, body) => {
        broker.asked += 1;
        if (broker.isAway) throw new Error("away");
        broker.published.push(...body.split("\n").map((line) => JSON.parse(line).eventId));
        return { sequence: broker.published.length };
      },
    },
    clock,
    config: { namespace: "" },
    logger: pino({ level: "silent" }),
  });
  return { broker, sender };
}

describe("a sweep", () => {
  /** A document for each entry, of which the first ones wait in the stream, unconfirmed and not yet overdue. */
  async function aBacklog(waiting: number, unsent: number) {
    const { broker, sender } = aSender();
    const entries = Array.from({ length: waiting + unsent }, (_, index) => anEntry(index));
    await Promise.all(entries.slice(0, waiting).map((entry) => sender.send(entry)));
    broker.published.length = 0;
    const metrics = createMetrics("test");
    const pages: string[] = [];
    const sweep = createSweep({
      store: {
        async pageAfter(after, limit) {
          pages.push(after);
          return entries
            .filter(({ eventId }) => eventId > after)
            .slice(0, limit)
            .map((entry) => [entry]);
        },
        read: async (ids) => entries.filter(({ eventId }) => ids.includes(eventId)).map(heldAlone),
      },
      sender,
      setAside,
      jetstream: { connected: () => true, numbers: async () => null },
      clock,
      intervals: { sweepMs: 1_000, reconcileMs: 10_000 },
      metrics,
      isReporter: () => true,
      stopped: () => false,
    });
    const gauge = async (name: string) =>
      Number(new RegExp(`^${name}\\{.*\\} (.+)$`, "m").exec(await metrics.text())?.[1]);
    return { gauge, sweep, broker, pages, unsentIds: entries.slice(waiting).map(({ eventId }) => eventId) };
  }

  test("a full page that only waits ends a sweep; the next one reads on, and after the last all begins anew", async () => {
    const { sweep, pages, gauge } = await aBacklog(400, 0);
    await sweep();
    expect(await gauge("pbo_outbox_last_sweep_timestamp_seconds")).toBe(clock.now() / 1_000);
    for (const _ of [2, 3]) await sweep();
    expect(pages.map((after) => after !== "")).toEqual([false, true, false]);
  });

  test("behind full pages of documents that only wait: what was not sent is published when its page is read", async () => {
    const { sweep, broker, unsentIds } = await aBacklog(550, 3);
    broker.isAway = true;
    expect([await sweep(), await sweep(), await sweep()]).toEqual([0, 0, 0]);
    broker.isAway = false;
    expect([await sweep(), await sweep(), await sweep()]).toEqual([0, 0, 3]);
    expect(broker.published).toEqual(unsentIds);
  });

  test("the broker goes while a long backlog is published: the sweep ends, and the next begins with the oldest", async () => {
    const { sweep, broker, pages } = await aBacklog(0, 600);
    broker.isAway = true;
    expect([await sweep(), broker.asked, pages]).toEqual([0, 250 / 25, [""]]);
    broker.isAway = false;
    expect([await sweep(), pages.length]).toEqual([600, 4]);
  });
});
