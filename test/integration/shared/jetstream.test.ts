import { afterEach, describe, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { unavailable } from "../../../shared/errors.ts";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS, STREAMS, streamName } from "../../../shared/jetstream/streams.ts";
import { aTestNamespace } from "../../support/servers/servers.ts";
import {
  publish,
  publishMany,
  SPEC,
  startJetStreamStage,
  streamOf,
} from "../../support/stage/jetstream-stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = ofFile(startJetStreamStage, ({ nats }) => nats.end());
afterEach(() => stage.cleanUp());

const untilAcknowledged = (jetstream: JetStream, messages: number) =>
  waitFor(async () => {
    const numbers = await jetstream.numbers("EVENTS", [SPEC]);
    const left = numbers?.consumers.map(({ pending, ackPending }) => pending + ackPending);
    return numbers?.lastSequence === messages && left?.every((count) => count === 0);
  }, "every message to be acknowledged");

describe("ensure", () => {
  test("on an empty server: creates streams and consumers as declared; again: changes nothing", async () => {
    const namespace = aTestNamespace();
    const jetstream = stage.aClient(namespace);
    await jetstream.connect();
    const everything = [Object.values(STREAMS), Object.values(CONSUMERS)] as const;
    await jetstream.ensure(...everything);
    const before = await stage.onServer((m) => m.streams.info(streamOf(namespace)));
    await jetstream.ensure(...everything);
    const after = await stage.onServer((m) => m.streams.info(streamOf(namespace)));
    expect(after).toMatchObject({ created: before.created, config: before.config });
  });

  test("a full event stream makes room for new events and never turns one away", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await jetstream.ensure([{ ...STREAMS.EVENTS, maxBytes: 2_000 }], []);
    for (let i = 0; i < 50; i++) await publish(jetstream, namespace, `event ${i} ${"x".repeat(100)}`);
    const { state } = await stage.onServer((m) => m.streams.info(streamOf(namespace)));
    expect(state.last_seq).toBe(50);
    expect(state.first_seq).toBeGreaterThan(1);
  });

  test("with settings that may change: brings the server in line and keeps the messages", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await publish(jetstream, namespace, "kept");
    const maxAgeMs = STREAMS.EVENTS.maxAgeMs / 2;
    await jetstream.ensure([{ ...STREAMS.EVENTS, maxAgeMs }], [{ ...SPEC, maxAckPending: 77 }]);
    const stream = await stage.onServer((m) => m.streams.info(streamOf(namespace)));
    const consumer = await stage.onServer((m) => m.consumers.info(streamOf(namespace), SPEC.name));
    expect([stream.config.max_age, stream.state.messages]).toEqual([maxAgeMs * 1e6, 1]);
    expect(consumer.config.max_ack_pending).toBe(77);
  });

  test("as a process of production does it: creates what is missing and changes nothing", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    const other = { ...STREAMS.EVENTS, maxAgeMs: STREAMS.EVENTS.maxAgeMs / 2 };
    await jetstream.ensure([other, STREAMS.STORAGE], [{ ...SPEC, maxAckPending: 77 }], "create");
    const { config } = await stage.onServer((m) => m.streams.info(streamOf(namespace)));
    const consumer = await stage.onServer((m) => m.consumers.info(streamOf(namespace), SPEC.name));
    const made = await stage.onServer((m) => m.streams.info(streamName(namespace, "STORAGE")));
    expect(config.max_age).toBe(STREAMS.EVENTS.maxAgeMs * 1e6);
    expect(consumer.config.max_ack_pending).toBe(SPEC.maxAckPending);
    expect(made.config.retention).toBe("workqueue");
  });

  test("with another retention: refuses, says what and leaves the stream as it was", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await expect(jetstream.ensure([{ ...STREAMS.EVENTS, retention: "workqueue" }], [])).rejects.toThrow(
      /_EVENTS exists with settings that cannot be changed in place: retention is "limits", wanted "workqueue"/,
    );
    const stream = await stage.onServer((m) => m.streams.info(streamOf(namespace)));
    expect(stream.config.retention).toBe("limits");
  });

  test("by several processes at once: all succeed", async () => {
    const namespace = aTestNamespace();
    const clients = Array.from({ length: 5 }, () => stage.aClient(namespace));
    await Promise.all(clients.map((client) => client.connect()));
    await Promise.all(clients.map((client) => client.ensure([STREAMS.EVENTS], [SPEC])));
    expect(await clients[0]?.numbers("EVENTS", [SPEC])).toMatchObject({
      lastSequence: 0,
      consumers: [{ deliveredUpTo: 0, pending: 0, ackPending: 0 }],
    });
  });
});

describe("publish", () => {
  test("the same id twice: stored once, both get the sequence of the first", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    expect(await publish(jetstream, namespace, "one")).toEqual({ sequence: 1 });
    expect(await publish(jetstream, namespace, "one")).toEqual({ sequence: 1 });
    expect(await publish(jetstream, namespace, "two")).toEqual({ sequence: 2 });
  });

  test("before the connection, and after its close: Service.Unavailable", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await expect(publish(stage.aClient(namespace), namespace, "a")).rejects.toMatchObject({
      type: "Service.Unavailable",
    });
    await jetstream.close();
    await expect(publish(jetstream, namespace, "a")).rejects.toMatchObject({ type: "Service.Unavailable" });
  });

  test("to a server that is there but does not answer: Service.Unavailable", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await stage.nats.freeze();
    try {
      await expect(publish(jetstream, namespace, "a")).rejects.toMatchObject({ type: "Service.Unavailable" });
    } finally {
      stage.nats.thaw();
    }
    await waitFor(() => publish(jetstream, namespace, "b"), "publishing again");
  });

  test("to a server that is away: Service.Unavailable; works again when it is back", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await stage.nats.stop();
    await waitFor(() => !jetstream.connected(), "the loss to be noticed");
    await expect(publish(jetstream, namespace, "a")).rejects.toMatchObject({ type: "Service.Unavailable" });
    await stage.nats.start();
    await waitFor(() => publish(jetstream, namespace, "b"), "publishing again");
    expect(jetstream.connected()).toBe(true);
  });

  test("connect to nobody: Service.Unavailable", async () => {
    await expect(stage.aClient("", "nats://127.0.0.1:1").connect()).rejects.toMatchObject({
      type: "Service.Unavailable",
    });
  });
});

describe("consume", () => {
  test("500 messages: each handled once, in batches and in parallel within their bounds", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    const handled: string[] = [];
    let running = 0;
    let mostRunning = 0;
    let largest = 0;
    await publishMany(jetstream, namespace, 500);
    stage.consume(jetstream, async (batch) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      largest = Math.max(largest, batch.length);
      await new Promise((resolve) => setTimeout(resolve, 1));
      handled.push(...batch.map((message) => message.text()));
      running -= 1;
    });
    await waitFor(() => handled.length >= 500, "500 messages");
    expect(new Set(handled).size).toBe(500);
    expect(handled.length).toBe(500);
    expect([largest, mostRunning]).toEqual([10, 2]);
    await untilAcknowledged(jetstream, 500);
  });

  test("never holds more than its bound, so that another process gets a share", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await publishMany(jetstream, namespace, 100);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let batches = 0;
    stage.consume(
      jetstream,
      () => {
        batches += 1;
        return released;
      },
      { maxBatch: 5, parallelBatches: 2 },
    );
    await waitFor(() => batches === 2, "two batches in hand");
    const other: string[] = [];
    const second = stage.aClient(namespace);
    await second.connect();
    stage.consume(second, async (batch) => void other.push(...batch.map(({ id }) => String(id))));
    await waitFor(() => other.length >= 80, "the rest to reach the other process");
    expect(other.length).toBe(80);
    release();
  });

  test.each([
    ["database", new mongoose.mongo.MongoNetworkError("connection closed")],
    ["part of the service", unavailable("A part of the service")],
  ])(
    "a %s that is away: the message is tried again in hand, so that no fault of ours makes it poison",
    async (_, fault) => {
      const { jetstream, namespace } = await stage.aReadyClient();
      const seen: number[] = [];
      stage.consume(jetstream, async ([message]) => {
        seen.push(message?.deliveryCount ?? 0);
        if (seen.length < 3) throw fault;
      });
      await publish(jetstream, namespace, "x");
      await waitFor(() => seen.length === 3, "the third try");
      expect(seen).toEqual([1, 1, 1]);
    },
  );

  test("poison: stored once and given up after ten deliveries; its peers are not touched", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    const poison: string[] = [];
    const good = new Set<string>();
    let deliveries = 0;
    stage.consume(
      jetstream,
      async (batch) => {
        for (const message of batch) {
          if (message.id !== "bad") good.add(String(message.id));
          else {
            deliveries = message.deliveryCount;
            if (deliveries > 10) throw new Error("cannot be handled");
            message.nak(1);
          }
        }
      },
      { onPoison: async (message, error) => void poison.push(`${message.id}: ${(error as Error).message}`) },
    );
    await publish(jetstream, namespace, "bad");
    await publishMany(jetstream, namespace, 20, "good");
    await waitFor(() => poison.length > 0, "the poison to be set aside");
    await untilAcknowledged(jetstream, 21);
    expect(poison).toEqual(["bad: cannot be handled"]);
    expect([deliveries, good.size]).toEqual([11, 20]);
  });

  test("a holder that dies: its messages reach another", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    await publishMany(jetstream, namespace, 5);
    const dying = stage.aClient(namespace);
    await dying.connect();
    let taken = 0;
    // Five come in one batch, or on a slow machine in several.
    dying.consume(SPEC, { maxBatch: 10, parallelBatches: 5, onPoison: async () => undefined }, (batch) => {
      taken += batch.length;
      return new Promise(() => undefined);
    });
    await waitFor(() => taken === 5, "the first to take them");
    await dying.close();
    const handled: string[] = [];
    stage.consume(jetstream, async (batch) => void handled.push(...batch.map(({ id }) => String(id))));
    await waitFor(() => handled.length === 5, "the second to take them");
  });

  test("work longer than the ack wait: not given to anybody else", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    const spec = { ...SPEC, ackWaitMs: 2_000 };
    await jetstream.ensure([], [spec]);
    let deliveries = 0;
    stage.consume(
      jetstream,
      async () => {
        deliveries += 1;
        await new Promise((resolve) => setTimeout(resolve, 3_000));
      },
      { spec },
    );
    await publish(jetstream, namespace, "long");
    await untilAcknowledged(jetstream, 1);
    expect(deliveries).toBe(1);
  });

  test("stop: finishes what is in hand, gives the rest back at once, takes nothing new", async () => {
    const { jetstream, namespace } = await stage.aReadyClient();
    const spec = { ...SPEC, ackWaitMs: 60_000 };
    await jetstream.ensure([], [spec]);
    await publishMany(jetstream, namespace, 30);
    const first: string[] = [];
    const open: (() => void)[] = [];
    const consumption = stage.consume(
      jetstream,
      async (batch) => {
        await new Promise<void>((resolve) => open.push(resolve));
        first.push(...batch.map(({ id }) => String(id)));
      },
      { spec, maxBatch: 5, parallelBatches: 1 },
    );
    await waitFor(() => open.length === 1, "a batch in hand");
    const stopping = consumption.stop();
    open[0]?.();
    await stopping;
    const inHand = first.length;
    const second: string[] = [];
    stage.consume(jetstream, async (batch) => void second.push(...batch.map(({ id }) => String(id))), {
      spec,
    });
    await waitFor(() => first.length + second.length >= 30, "the rest to be handled elsewhere");
    expect(first.length).toBe(inHand);
    expect(new Set([...first, ...second]).size).toBe(30);
  });
});
