import { expect, test } from "@jest/globals";
import { pino } from "pino";
import { watchConsumers } from "../../../shared/jetstream/consumer-gauges.ts";
import type { Backlog } from "../../../shared/jetstream/jetstream.ts";
import { CONSUMERS } from "../../../shared/jetstream/streams.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";

async function figuresAfterOneLook(backlog: Backlog | null): Promise<string> {
  const metrics = createMetrics("delivery");
  const clock = { now: () => 1_700_000_000_000 };
  const asked = Promise.withResolvers<void>();
  const stop = watchConsumers([CONSUMERS.deliveryRecord], {
    jetstream: {
      async backlog() {
        setImmediate(asked.resolve);
        return backlog;
      },
    },
    metrics,
    clock,
    logger: pino({ level: "silent" }),
  });
  await asked.promise;
  await stop();
  return metrics.text();
}

const gauge = (text: string, name: string): number =>
  Number(
    new RegExp(`^${name}\\{consumer="delivery-record",process="delivery"\\} (\\S+)$`, "m").exec(text)?.[1],
  );

test("shows what the server says of a consumer, and when it said so", async () => {
  const text = await figuresAfterOneLook({ pending: 7, ackPending: 5, redelivered: 2 });
  expect(gauge(text, "pbo_consumer_pending")).toBe(7);
  expect(gauge(text, "pbo_consumer_ack_pending")).toBe(5);
  expect(gauge(text, "pbo_consumer_redelivered")).toBe(2);
  expect(gauge(text, "pbo_consumer_ack_pending_limit")).toBe(CONSUMERS.deliveryRecord.maxAckPending);
  expect(gauge(text, "pbo_consumer_seen_timestamp_seconds")).toBe(1_700_000_000);
});

test("a server that cannot say leaves the time of its last answer as it was", async () => {
  const text = await figuresAfterOneLook(null);
  expect(gauge(text, "pbo_consumer_seen_timestamp_seconds")).toBeNaN();
  expect(gauge(text, "pbo_consumer_ack_pending_limit")).toBe(CONSUMERS.deliveryRecord.maxAckPending);
});
