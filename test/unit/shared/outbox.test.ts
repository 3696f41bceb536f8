/** The outbox as a whole: when events leave it, what a sweep and a stop wait for. Its queries are tried on MongoDB. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import type { StreamNumbers } from "../../../shared/jetstream/stream-health.rules.ts";
import { freeLane } from "../../../shared/lanes.ts";
import { createOutbox } from "../../../shared/outbox/outbox.ts";
import type { OutboxCollection } from "../../../shared/outbox/outbox-store.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { noTracer } from "../../../shared/telemetry/tracer.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

let made = 0;
const anEntry = (wish: Partial<OutboxEntry> = {}): OutboxEntry => {
  made += 1;
  const eventId = `019caa00-0000-7000-8000-${String(made).padStart(12, "0")}`;
  return {
    ...{ eventId, eventType: "webhook.test", partnerId: "p", traceparent: null },
    ...{ occurredAt: new Date(Date.now() - 60_000).toISOString(), body: JSON.stringify({ eventId }) },
    ...wish,
  };
};
const many = (count: number) => Array.from({ length: count }, () => anEntry());
const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);

const numbers = ({ lastSequence = 0, deliveredUpTo = 0 }): StreamNumbers => ({
  ...{ created: "", firstSequence: 1, lastSequence, messages: lastSequence },
  consumers: [{ deliveredUpTo, pending: 0, ackPending: 0, maxAckPending: 1, redelivered: 0, waiting: 0 }],
});

type Wish = { isReporter?: () => boolean; enabled?: boolean };

/** A document for each of the entries; a broker that answers when its gate is open. */
function aStage(entries: OutboxEntry[] = [], wish: Wish = {}) {
  const stage = {
    numbers: null as StreamNumbers | null,
    isConnected: true,
    isAway: false,
    pages: 0,
    gate: Promise.resolve(),
    pageGate: Promise.resolve(),
  };
  const published: { subject: string; body: string; id: string }[] = [];
  const headers: unknown[] = [];
  let reads = 0;
  const updates: unknown[][] = [];
  const names: string[] = [];
  const spans: unknown[] = [];
  const found = (asked: Record<string, { $gt?: string; $in?: string[] }>) => {
    const { $gt, $in } = asked["outbox.eventId"] ?? {};
    if ($gt === undefined) reads += 1;
    else stage.pages += 1;
    const isAsked = ({ eventId }: OutboxEntry) => ($in ? $in.includes(eventId) : eventId > ($gt ?? ""));
    const cursor = {
      hint: () => cursor,
      limit: () => cursor,
      async toArray() {
        await stage.pageGate;
        if (stage.isAway) throw new Error("database away");
        return entries.filter(isAsked).map((entry) => ({ outbox: [entry] }));
      },
    };
    return cursor;
  };
  const [info, warn] = [jest.fn(), jest.fn()];
  const metrics = createMetrics("profile");
  const outbox = createOutbox({
    collection: {
      find: found,
      async updateMany(...asked: unknown[]) {
        updates.push(asked);
        return { modifiedCount: 1 };
      },
    } as unknown as OutboxCollection,
    source: "profile",
    deadLetters: { keep: async () => undefined },
    jetstream: {
      connected: () => stage.isConnected,
      numbers: async () => stage.numbers,
      async publish(subject, body, { id, headers: given }) {
        if (!stage.isConnected) throw new Error("not connected");
        published.push({ subject, body, id });
        headers.push(given);
        await stage.gate;
        return { sequence: published.length };
      },
    },
    clock: { now: () => Date.now() },
    config: { namespace: "", outboxSweepMs: 1_000, outboxReconcileMs: 10_000 },
    logger: Object.assign(pino({ level: "silent" }), { info, warn }),
    metrics,
    lanes: {
      lane: (name) => {
        names.push(name);
        return freeLane;
      },
    },
    ...(wish.enabled
      ? {
          tracer: {
            ...noTracer,
            enabled: true,
            below: (parent: string) => `below ${parent}`,
            record: (span: unknown) => void spans.push(span),
          },
        }
      : {}),
    ...(wish.isReporter ? { isReporter: wish.isReporter } : {}),
  });
  const gauge = async (name: string) =>
    Number(new RegExp(`^pbo_outbox_${name}\\{.*\\} (.+)$`, "m").exec(await metrics.text())?.[1]);
  const bodies = () => published.map(({ body }) => body);
  return Object.assign(stage, {
    ...{ outbox, published, headers, bodies, updates, names, spans, info, warn, gauge, reads: () => reads },
  });
}

describe("publish", () => {
  test("each event is a message of its own under the id of the event", async () => {
    const stage = aStage();
    const entries = [anEntry(), anEntry({ partnerId: "q" })];
    stage.outbox.publish(entries);
    expect(stage.published).toEqual(
      entries.map(({ partnerId, body, eventId: id }) => ({
        ...{ subject: `events.${partnerId}.webhook.test`, body, id },
      })),
    );
  });

  test("behind five thousand events without an answer, more events are left to the sweep", async () => {
    const stage = aStage();
    const gate = Promise.withResolvers<void>();
    stage.gate = gate.promise;
    stage.outbox.publish(many(5_001));
    stage.outbox.publish(many(1));
    expect(stage.bodies()).toHaveLength(5_000);
    gate.resolve();
    await pass();
    stage.outbox.publish(many(1));
    expect(stage.bodies()).toHaveLength(5_001);
  });
});

describe("sweep", () => {
  test("publishes what nobody sent, in its own lane; one at a time, then again", async () => {
    const stage = aStage(many(2));
    const sweeps = [stage.outbox.sweep(), stage.outbox.sweep()];
    expect(await Promise.all(sweeps)).toEqual([2, 2]);
    expect([stage.pages, stage.names]).toEqual([1, ["outbox"]]);
    expect(await stage.outbox.sweep()).toBe(0);
    expect([stage.pages, stage.published.length]).toEqual([2, 2]);
  });

  test("an event that another process may just be publishing waits for five intervals", async () => {
    const young = anEntry({ occurredAt: new Date(Date.now() - 4_999).toISOString() });
    const stage = aStage([young]);
    expect(await stage.outbox.sweep()).toBe(0);
    await pass(1);
    expect(await stage.outbox.sweep()).toBe(1);
    expect(stage.bodies()).toEqual([young.body]);
  });

  test.each([
    ["by default", undefined, 2],
    ["unless another does", () => false, 0],
  ])("this process reports what lies in all outboxes, %s", async (_, isReporter, pending) => {
    const fresh = many(2).map((entry) => ({ ...entry, occurredAt: new Date().toISOString() }));
    const stage = aStage(fresh, isReporter ? { isReporter } : {});
    await stage.outbox.sweep();
    expect(await stage.gauge("pending")).toBe(pending);
  });

  test("a published message belongs to the trace of its event", async () => {
    const traced = anEntry({ traceparent: "trace" });
    const stage = aStage([traced, anEntry()], { enabled: true });
    const startMs = Date.now();
    await stage.outbox.sweep();
    expect(stage.headers).toEqual([{ traceparent: "below trace" }, {}]);
    expect(stage.spans).toEqual([
      {
        ...{ name: "publish webhook.test", kind: "producer", traceparent: "below trace", parent: "trace" },
        ...{ startMs, endMs: startMs },
        attributes: { "messaging.system": "nats", "messaging.message.id": traced.eventId },
      },
    ]);
    const untraced = aStage([traced]);
    await untraced.outbox.sweep();
    expect(untraced.headers).toEqual([{ traceparent: "trace" }]);
  });

  test("a full page of what only waits: no body is read", async () => {
    const young = many(250).map((entry) => ({ ...entry, occurredAt: new Date().toISOString() }));
    const stage = aStage(young);
    await stage.outbox.sweep();
    expect([stage.pages, stage.reads()]).toEqual([1, 0]);
  });

  test("unconfirmed is what was sent and occurred more than a minute ago; nothing has no age", async () => {
    const entries = many(2);
    const stage = aStage(entries);
    stage.outbox.publish(entries);
    await pass();
    await stage.outbox.sweep();
    expect([await stage.gauge("unconfirmed"), await stage.gauge("oldest_age_seconds")]).toEqual([0, 60]);
    await pass(1);
    await stage.outbox.sweep();
    expect(await stage.gauge("unconfirmed")).toBe(2);
    for (const others of [[], [anEntry({ occurredAt: new Date(Date.now() + 5_000).toISOString() })]]) {
      const other = aStage(others);
      await other.outbox.sweep();
      expect(await other.gauge("oldest_age_seconds")).toBe(0);
    }
  });

  test("an unconfirmed event is published again under another id, but not while it waits in the stream", async () => {
    const entry = anEntry();
    const stage = aStage([entry]);
    stage.outbox.publish([entry]);
    await pass(5_000);
    expect(await stage.outbox.sweep()).toBe(0);
    stage.numbers = numbers({ lastSequence: 1, deliveredUpTo: 0 });
    expect(await stage.outbox.sweep()).toBe(0);
    stage.numbers = numbers({ lastSequence: 1, deliveredUpTo: 1 });
    expect(await stage.outbox.sweep()).toBe(1);
    stage.numbers = numbers({ lastSequence: 0, deliveredUpTo: 0 });
    await pass(9_999);
    expect(await stage.outbox.sweep()).toBe(0);
    await pass(1);
    expect(await stage.outbox.sweep()).toBe(1);
    const { eventId } = entry;
    expect(stage.published.map(({ id }) => id)).toEqual([eventId, `${eventId}:2`, `${eventId}:3`]);
    expect(await stage.gauge("republished_total")).toBe(2);
  });
});

describe("confirm", () => {
  test("removes the entries where they are; none: nothing is asked of the database", async () => {
    const stage = aStage();
    expect(await stage.outbox.confirm([])).toBe(0);
    expect(stage.updates).toEqual([]);
    expect(await stage.outbox.confirm(["e"], ["p"])).toBe(1);
    expect(stage.updates).toHaveLength(1);
  });

  test("a removal that a failover lost: the event is sent again, because it is no longer known as sent", async () => {
    const entry = anEntry();
    const stage = aStage([entry]);
    stage.outbox.publish([entry]);
    await pass();
    expect(await stage.outbox.sweep()).toBe(0);
    await stage.outbox.confirm([entry.eventId]);
    expect(await stage.outbox.sweep()).toBe(1);
  });
});

describe("an event that the broker did not acknowledge", () => {
  const away = () => {
    const gate = Promise.reject(new Error("no leader"));
    gate.catch(() => undefined);
    return gate;
  };

  test("is sent again under the same id until the broker answers", async () => {
    const stage = aStage();
    stage.gate = away();
    const entry = anEntry();
    stage.outbox.publish([entry]);
    await pass(750);
    expect(stage.published.map(({ id }) => id)).toEqual(Array(3).fill(entry.eventId));
    stage.gate = Promise.resolve();
    await pass(60_000);
    expect(stage.published).toHaveLength(4);
  });

  test("is left to the sweep after ten seconds", async () => {
    const entry = anEntry();
    const stage = aStage([entry]);
    stage.isConnected = false;
    stage.outbox.publish([entry]);
    await pass(9_000);
    expect(await stage.outbox.sweep()).toBe(0);
    await pass(1_000);
    stage.isConnected = true;
    await pass(60_000);
    expect(stage.published).toEqual([]);
    expect(await stage.outbox.sweep()).toBe(1);
  });

  test("is not sent again once it is confirmed", async () => {
    const stage = aStage();
    stage.gate = away();
    const entry = anEntry();
    stage.outbox.publish([entry]);
    await pass();
    await stage.outbox.confirm([entry.eventId]);
    await pass(60_000);
    expect(stage.published).toHaveLength(1);
  });
});

describe("start and stop", () => {
  test("sweeps immediately and then regularly; reports its publications and its failures", async () => {
    const stage = aStage(many(2));
    stage.isConnected = false;
    stage.outbox.start();
    await pass();
    stage.gate = Promise.reject(new Error("broker away"));
    stage.gate.catch(() => undefined);
    stage.isConnected = true;
    await pass(1_000);
    expect([stage.pages, stage.published.length]).toEqual([2, 2]);
    expect(stage.warn.mock.calls).toEqual([[{ failures: 2 }, "outbox.publish_failed"]]);
    expect(stage.info).not.toHaveBeenCalled();
    stage.gate = Promise.resolve();
    await pass(999);
    expect(stage.pages).toBe(2);
    await pass(1);
    expect(stage.info.mock.calls).toEqual([[{ published: 2 }, "outbox.swept"]]);
    await pass(1_000);
    expect([stage.pages, stage.warn.mock.calls.length, stage.info.mock.calls.length]).toEqual([4, 1, 1]);
    await stage.outbox.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  test("a sweep that fails is told, and the next one follows; failures to publish are told all the same", async () => {
    const stage = aStage(many(1));
    stage.gate = Promise.reject(new Error("broker away"));
    stage.gate.catch(() => undefined);
    stage.outbox.publish([anEntry()]);
    await pass();
    stage.isAway = true;
    stage.outbox.start();
    await pass();
    expect(stage.warn.mock.calls).toEqual([
      [{ failures: 1 }, "outbox.publish_failed"],
      [{ err: expect.any(Error) }, "outbox.sweep_failed"],
    ]);
    await pass(1_000);
    expect(stage.pages).toBe(2);
    stage.isAway = false;
    await stage.outbox.stop();
  });

  test("a stop waits for the sweep and for the publishes under way", async () => {
    const [gate, pageGate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const stage = aStage();
    Object.assign(stage, { gate: gate.promise, pageGate: pageGate.promise });
    const swept = stage.outbox.sweep();
    const entry = anEntry();
    stage.outbox.publish([entry]);
    let isStopped = false;
    const stopped = stage.outbox.stop().then(() => {
      isStopped = true;
    });
    expect(stage.bodies()).toEqual([entry.body]);
    gate.resolve();
    await pass();
    expect(isStopped).toBe(false);
    pageGate.resolve();
    await Promise.all([swept, stopped]);

    const hanging = Promise.withResolvers<void>();
    const other = aStage();
    other.gate = hanging.promise;
    other.outbox.publish([anEntry()]);
    isStopped = false;
    const end = other.outbox.stop().then(() => {
      isStopped = true;
    });
    await pass();
    expect(isStopped).toBe(false);
    hanging.resolve();
    await end;
  });

  test("a stop waits for the round under way, whose sweep then ends, also with a fault", async () => {
    const pageGate = Promise.withResolvers<void>();
    const stage = aStage(many(250));
    stage.pageGate = pageGate.promise;
    stage.outbox.start();
    await pass();
    let isStopped = false;
    const stopped = stage.outbox.stop().then(() => {
      isStopped = true;
    });
    await pass();
    expect(isStopped).toBe(false);
    pageGate.resolve();
    await pass();
    await stopped;
    // A full page: there may be more, but not for this process.
    expect([stage.pages, stage.published.length]).toEqual([1, 250]);

    const broken = aStage();
    broken.isAway = true;
    const swept = broken.outbox.sweep().catch((error: Error) => error.message);
    await broken.outbox.stop();
    expect(await swept).toBe("database away");
  });
});
