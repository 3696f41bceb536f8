/** The outbox as a whole: when events leave it, what a sweep and a stop wait for. Its queries are tried on MongoDB. */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { pino } from "pino";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
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
const largeBody = ({ eventId }: OutboxEntry) => JSON.stringify({ eventId, text: "x".repeat(100_000) });
const many = (count: number) => Array.from({ length: count }, () => anEntry());
const pass = (ms = 0) => jest.advanceTimersByTimeAsync(ms);
/** Publications take turns of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await pass();
}
async function inTurns<T>(work: Promise<T>): Promise<T> {
  await turns();
  return work;
}

/** The answer of a broker without a leader. */
function away(): Promise<never> {
  const gate = Promise.reject(new Error("no leader"));
  gate.catch(() => undefined);
  return gate;
}

type Wish = { isReporter?: () => boolean; enabled?: boolean };

/** A document for each of the entries; a broker that answers when its gate is open. */
function aStage(entries: OutboxEntry[] = [], wish: Wish = {}) {
  const stage = {
    isConnected: true,
    isAway: false,
    pages: 0,
    gate: Promise.resolve(),
    pageGate: Promise.resolve(),
  };
  const published: { subject: string; body: string; id: string }[] = [];
  const headers: unknown[] = [];
  const names: string[] = [];
  const spans: unknown[] = [];
  const found = (asked: Record<string, { $gt?: string; $in?: string[] }>) => {
    const { $gt, $in } = asked["outbox.eventId"] ?? {};
    if ($gt !== undefined) stage.pages += 1;
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
      updateMany: async () => ({ modifiedCount: 1 }),
    } as unknown as OutboxCollection,
    source: "profile",
    deadLetters: { keep: async () => undefined },
    jetstream: {
      connected: () => stage.isConnected,
      numbers: async () => null,
      async publish(subject, body, { id, headers: given }) {
        if (!stage.isConnected) throw new Error("not connected");
        for (const line of body.split("\n")) published.push({ subject, body: line, id });
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
    ...{ outbox, published, headers, bodies, names, spans, info, warn, gauge },
  });
}

describe("publish", () => {
  test("events of a partner and type share a message in one turn; an event alone has its own id", async () => {
    const stage = aStage();
    const [one, other, two] = [anEntry(), anEntry({ partnerId: "q" }), anEntry()];
    stage.outbox.publish([one, other]);
    stage.outbox.publish([two]);
    await pass();
    expect(stage.published).toEqual([
      { subject: "events.p.webhook.test", body: one.body, id: `${one.eventId}+1` },
      { subject: "events.p.webhook.test", body: two.body, id: `${one.eventId}+1` },
      { subject: "events.q.webhook.test", body: other.body, id: other.eventId },
    ]);
    stage.outbox.publish([anEntry()]);
    await pass();
    expect(stage.headers).toHaveLength(3);
  });

  test("a message has at most 25 events and 256 KiB", async () => {
    const stage = aStage();
    stage.outbox.publish(many(26));
    await pass();
    expect(new Set(stage.published.map(({ id }) => id)).size).toBe(2);
    const large = aStage();
    large.outbox.publish(many(3).map((entry) => ({ ...entry, body: largeBody(entry) })));
    await pass();
    expect(large.headers).toHaveLength(2);
  });

  test("behind five thousand events without an answer, more events are left to the sweep", async () => {
    const stage = aStage();
    const gate = Promise.withResolvers<void>();
    stage.gate = gate.promise;
    stage.outbox.publish(many(5_001));
    stage.outbox.publish(many(1));
    await pass();
    expect(stage.bodies()).toHaveLength(5_000);
    gate.resolve();
    await pass();
    stage.outbox.publish(many(1));
    await pass();
    expect(stage.bodies()).toHaveLength(5_001);
  });
});

describe("sweep", () => {
  test("publishes what nobody sent, in its own lane; one at a time, then again", async () => {
    const stage = aStage(many(2));
    const sweeps = [stage.outbox.sweep(), stage.outbox.sweep()];
    expect(await inTurns(Promise.all(sweeps))).toEqual([2, 2]);
    expect([stage.pages, stage.names]).toEqual([1, ["outbox"]]);
    expect(await inTurns(stage.outbox.sweep())).toBe(0);
    expect([stage.pages, stage.published.length]).toEqual([2, 2]);
  });

  test.each([
    ["by default", undefined, 2],
    ["unless another does", () => false, 0],
  ])("this process reports what lies in all outboxes, %s", async (_, isReporter, pending) => {
    const fresh = many(2).map((entry) => ({ ...entry, occurredAt: new Date().toISOString() }));
    const stage = aStage(fresh, isReporter ? { isReporter } : {});
    await inTurns(stage.outbox.sweep());
    expect(await stage.gauge("pending")).toBe(pending);
  });

  test("a published message belongs to the trace of its event", async () => {
    const traced = anEntry({ traceparent: "trace" });
    const stage = aStage([anEntry(), traced, anEntry({ partnerId: "q" })], { enabled: true });
    const startMs = Date.now();
    await inTurns(stage.outbox.sweep());
    expect(stage.headers).toEqual([{ traceparent: ",below trace" }, {}]);
    expect(stage.spans).toEqual([
      {
        ...{ name: "publish webhook.test", kind: "producer", traceparent: "below trace", parent: "trace" },
        ...{ startMs, endMs: startMs },
        attributes: { "messaging.system": "nats", "messaging.message.id": traced.eventId },
      },
    ]);
    const untraced = aStage([traced]);
    await inTurns(untraced.outbox.sweep());
    expect(untraced.headers).toEqual([{ traceparent: "trace" }]);
  });

  test("unconfirmed is what was sent and occurred more than a minute ago; nothing has no age", async () => {
    const entries = many(2);
    const stage = aStage(entries);
    stage.outbox.publish(entries);
    await pass();
    await inTurns(stage.outbox.sweep());
    expect([await stage.gauge("unconfirmed"), await stage.gauge("oldest_age_seconds")]).toEqual([0, 60]);
    await pass(1);
    await inTurns(stage.outbox.sweep());
    expect(await stage.gauge("unconfirmed")).toBe(2);
    for (const others of [[], [anEntry({ occurredAt: new Date(Date.now() + 5_000).toISOString() })]]) {
      const other = aStage(others);
      await inTurns(other.outbox.sweep());
      expect(await other.gauge("oldest_age_seconds")).toBe(0);
    }
  });
});

describe("confirm", () => {
  test("a removal that a failover lost: the event is sent again, because it is no longer known as sent", async () => {
    const entry = anEntry();
    const stage = aStage([entry]);
    stage.outbox.publish([entry]);
    await pass();
    expect(await inTurns(stage.outbox.sweep())).toBe(0);
    await stage.outbox.confirm([entry.eventId]);
    expect(await inTurns(stage.outbox.sweep())).toBe(1);
  });
});

describe("an event that the broker did not acknowledge", () => {
  test("is sent again under the same id until the broker answers", async () => {
    const stage = aStage();
    stage.gate = away();
    const entry = anEntry();
    stage.outbox.publish([entry]);
    // A publication takes another turn of the event loop.
    await pass(753);
    expect(stage.published.map(({ id }) => id)).toEqual(Array(3).fill(entry.eventId));
    stage.gate = Promise.resolve();
    await pass(60_000);
    expect(stage.published).toHaveLength(4);
  });

  test("is left to the sweep after a minute", async () => {
    const entry = anEntry();
    const stage = aStage([entry]);
    stage.isConnected = false;
    stage.outbox.publish([entry]);
    await pass(59_000);
    expect(await inTurns(stage.outbox.sweep())).toBe(0);
    await pass(1_000);
    stage.isConnected = true;
    await pass(60_000);
    expect(stage.published).toEqual([]);
    expect(await inTurns(stage.outbox.sweep())).toBe(1);
  });

  test("that is not acknowledged for half a minute is sent again within a second of the next leader", async () => {
    const entry = anEntry();
    const stage = aStage([entry]);
    stage.isConnected = false;
    stage.outbox.publish([entry]);
    await pass(30_000);
    stage.isConnected = true;
    await pass(1_000);
    expect(stage.published).toHaveLength(1);
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
    stage.gate = away();
    stage.isConnected = true;
    await pass(1_001);
    expect([stage.pages, stage.published.length]).toEqual([2, 2]);
    expect(stage.warn.mock.calls).toEqual([[{ failures: 2 }, "outbox.publish_failed"]]);
    expect(stage.info).not.toHaveBeenCalled();
    stage.gate = Promise.resolve();
    await pass(999);
    expect(stage.pages).toBe(2);
    await pass(2);
    expect(stage.info.mock.calls).toEqual([[{ published: 2 }, "outbox.swept"]]);
    await pass(1_000);
    expect([stage.pages, stage.warn.mock.calls.length, stage.info.mock.calls.length]).toEqual([4, 1, 1]);
    await stage.outbox.stop();
    expect(jest.getTimerCount()).toBe(0);
  });

  test("a sweep that fails is told, and the next one follows; failures to publish are told all the same", async () => {
    const stage = aStage(many(1));
    stage.gate = away();
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
    await pass();
    expect(stage.bodies()).toEqual([entry.body]);
    gate.resolve();
    await pass();
    expect(isStopped).toBe(false);
    pageGate.resolve();
    await Promise.all([swept, stopped]);
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
