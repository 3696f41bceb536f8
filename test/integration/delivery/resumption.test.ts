/** A delivery process that is killed under load: when its successor sends again, and what it sends twice. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { loadConfig } from "../../../shared/config/config.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { createJetStream, type JetStream } from "../../../shared/jetstream/jetstream.ts";
import { eventSubject } from "../../../shared/jetstream/streams.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { repetitions } from "../../support/repetitions.ts";
import type { Program } from "../../support/servers/program.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { startServiceProcess } from "../../support/stage/service-process.ts";
import { waitFor } from "../../support/wait-for.ts";

const PARTNERS = 20;
const PER_SECOND = repetitions({ short: 100, nightly: 400 });
const TICK_MS = 20;
const LOAD_MS = 17_000;
const KILLS_AT_MS = [3_000, 13_000];
const WITHIN_MS = 300_000;
/** As shipped; a stage has longer leases. */
const AS_SHIPPED = {
  PBO_DELIVERY_POLL_MS: "250",
  PBO_DELIVERY_PARTITION_LEASE_MS: "5000",
  // A slow handshake on a busy machine is no failed attempt, which would be made again after 30 s.
  PBO_WEBHOOK_CONNECT_TIMEOUT_MS: "30000",
  PBO_WEBHOOK_TIMEOUT_MS: "60000",
};

/** The promise is 6 and 10 s; by day other tests share the machine. The figures are printed. */
const LONGEST_GAP_MS = repetitions({ short: 12_000, nightly: 6_000 });
const LATEST_MS = repetitions({ short: 25_000, nightly: 10_000 });

let stage: DeliveryStage;
let jetstream: JetStream;
let running: Program;
beforeAll(async () => {
  stage = await startDeliveryStage();
  await stage.stopDelivery();
  const config = loadConfig("delivery", stage.processSettings());
  jetstream = createJetStream({ config, logger: pino({ level: "silent" }), metrics: createMetrics("test") });
  await jetstream.connect();
});
afterAll(async () => {
  await running?.kill("SIGKILL");
  await jetstream?.close();
  await stage.stop();
});

const start = () => startServiceProcess("delivery", stage.processSettings(AS_SHIPPED));

async function publish(entry: OutboxEntry): Promise<void> {
  const subject = eventSubject(stage.namespace, entry.partnerId, entry.eventType);
  const headers = entry.traceparent ? { traceparent: entry.traceparent } : {};
  await jetstream.publish(subject, entry.body, { id: entry.eventId, headers });
}

test(
  "kill -9 under load, twice: the successor goes on, nothing is lost, little is sent twice",
  async () => {
    running = start();
    const receiver = await stage.aReceiver();
    const partners = Array.from({ length: PARTNERS }, () => randomUUID());
    await Promise.all(partners.map((partnerId) => stage.register(partnerId, receiver.url())));
    await Promise.all(partners.map((partnerId) => publish(stage.anEvent(partnerId))));
    await waitFor(() => receiver.requests.length >= PARTNERS, "the process to send");
    const warmUp = receiver.requests.length;

    const publishedAt = new Map<string, number>();
    const publishing: Promise<void>[] = [];
    const kills = [...KILLS_AT_MS];
    const beginning = Date.now();
    let made = 0;
    for (let elapsed = 0; elapsed < LOAD_MS; elapsed = Date.now() - beginning) {
      for (; made < (elapsed * PER_SECOND) / 1_000; made += 1) {
        const entry = stage.anEvent(partners[made % PARTNERS] ?? "");
        publishedAt.set(entry.eventId, Date.now());
        publishing.push(publish(entry));
      }
      if (elapsed >= (kills[0] ?? Number.POSITIVE_INFINITY)) {
        kills.shift();
        await running.kill("SIGKILL");
        running = start();
      }
      await sleep(TICK_MS);
    }
    await Promise.all(publishing);
    const ended = Date.now();

    const arrived = () =>
      receiver.requests
        .slice(warmUp)
        .map(({ headers, receivedAt }) => ({ id: headers["svc-event-id"] ?? "", at: receivedAt }));
    const idsOf = () => new Set(arrived().map(({ id }) => id));
    await waitFor(() => idsOf().size === publishedAt.size, { what: "every event", timeoutMs: WITHIN_MS });
    const arrivals = arrived();
    const copies = arrivals.length - publishedAt.size;
    const latest = Math.max(...arrivals.map(({ id, at }) => at - (publishedAt.get(id) ?? at)));
    const times = [beginning, ...arrivals.map(({ at }) => at)];
    const gaps = times.slice(1).map((at, index) => at - (times[index] ?? at));
    const longest = gaps.toSorted((a, b) => b - a).slice(0, 3);
    const last = Math.max(0, (arrivals.at(-1)?.at ?? 0) - ended);
    process.stdout.write(
      `${publishedAt.size} events at ${PER_SECOND}/s, ${KILLS_AT_MS.length} kills: longest gaps ${longest.join(", ")} ms, ` +
        `latest after ${latest} ms, last ${last} ms after the load, ${copies} sent twice\n`,
    );
    expect(longest[0]).toBeLessThan(LONGEST_GAP_MS);
    expect(latest).toBeLessThan(LATEST_MS);
    // A kill repeats at most what is in flight. A slot may also have an unstored outcome; a few per kill were measured.
    const { deliveryInFlight } = loadConfig("delivery", stage.processSettings());
    expect(copies).toBeLessThanOrEqual(KILLS_AT_MS.length * deliveryInFlight);
  },
  WITHIN_MS,
);
