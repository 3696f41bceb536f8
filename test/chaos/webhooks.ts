/**
 * Every part is killed in turn under a stream of creates, and the message store is lost once. Nobody lends a hand, and
 * at the end every event of every create answered 200 was received. The seed is printed;
 * PBO_TEST_CHAOS_SEED=<seed> makes the same faults in the same order.
 */
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { processEnv } from "../../shared/config/config.ts";
import { databaseName } from "../../shared/mongo.ts";
import { dashboardClient, demoLogin, WEBHOOKS } from "../support/clients/dashboard-client.ts";
import { repetitions } from "../support/repetitions.ts";
import type { Receiver } from "../support/servers/receiver.ts";
import { receiverFor, type TestPlatform } from "../support/stage/platform.ts";
import { chaosPlatform } from "../support/stage/shared-platform.ts";
import { waitFor } from "../support/wait-for.ts";
import { type Created, startCreating } from "./create-stream.ts";
import { seededRandom } from "./seeded-random.ts";

const { PBO_TEST_CHAOS_SEED } = processEnv();
const ROUNDS = repetitions({ short: 1, nightly: 10 });
const random = seededRandom(Number(PBO_TEST_CHAOS_SEED ?? Math.floor(Math.random() * 1e9)));
const say = (line: string) => void process.stderr.write(`chaos: ${line}\n`);

const KILLED = ["delivery", "webhook-registry", "profile", "nats", "mongod"] as const;
const FAULTS = [...KILLED, "wipe JetStream"] as const;

/** A partner's clock runs while ours recovers; beyond this nobody would call it recovery without a hand. */
const HEALED_WITHIN_MS = 180_000;

let platform: TestPlatform;
let receiver: Receiver;
let connection: mongoose.Connection;

beforeAll(async () => {
  platform = await chaosPlatform();
  receiver = await receiverFor(platform);
  connection = await mongoose.createConnection(platform.addresses.mongodbUri).asPromise();
  const owner = await dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner"));
  expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
}, 240_000);
afterAll(async () => {
  await connection?.close();
  await receiver?.close();
});

type Delivery = {
  eventId: string;
  status: string;
  attemptCount: number;
  attempts: { attemptNo: number; errorKind: string | null }[];
};

/** By the driver: mongoose cannot open a second database on a connection that waits for mongod to come back. */
const collection = (service: string, name: string) =>
  connection.getClient().db(databaseName("", service)).collection(name);

test(
  `seed ${random.seed}: every event of every create answered 200 is received`,
  async () => {
    say(`seed ${random.seed}, ${ROUNDS} round(s)`);
    const stream = startCreating(platform.demo);
    for (let round = 0; round < ROUNDS; round += 1)
      for (const fault of random.shuffle(FAULTS)) {
        const before = stream.created.length;
        await waitFor(() => stream.created.length > before + random.between(5, 20), {
          what: "creates to go on",
          timeoutMs: HEALED_WITHIN_MS,
        });
        say(`${fault} after ${stream.created.length} creates`);
        if (fault === "wipe JetStream") await platform.wipeJetStream();
        else platform.kill(fault);
      }
    await platform.untilReady(HEALED_WITHIN_MS);
    const last = stream.created.length;
    await waitFor(() => stream.created.length > last + 10, { what: "creates after the last fault" });
    await stream.stop();
    say(`${stream.created.length} created, ${stream.unsure.length} not answered 200`);

    const expected = await profilesOf(stream.created);
    const isSettled = async () => {
      const waiting = await collection("profile", "business_profiles").countDocuments({
        "outbox.0": { $exists: true },
      });
      const pending = await pendingDeliveries();
      if (waiting + pending > 0)
        throw new Error(`${waiting} outboxes hold events, ${pending} deliveries pend`);
      return true;
    };
    await waitFor(isSettled, { what: "everything to arrive", everyMs: 500, timeoutMs: HEALED_WITHIN_MS });

    const received = Map.groupBy(receiver.requests, ({ headers }) => String(headers["svc-event-id"]));
    const types = Map.groupBy(
      [...received.values()].map(([first]) => JSON.parse(first?.body ?? "{}")),
      ({ correlation }) => String(correlation?.customerId),
    );
    for (const { customerId, people } of expected) {
      const events = types.get(customerId) ?? [];
      expect(events.map(({ eventType }) => eventType).sort()).toEqual(
        ["business.profile.created", ...Array.from({ length: people }, () => "business.person.added")].sort(),
      );
      expect(events.map(({ correlation }) => correlation.sequence).sort()).toEqual(
        events.map((_, i) => i + 1),
      );
    }

    const events = await collection("delivery", "events").find({}).toArray();
    const deliveries = (await collection("delivery", "deliveries")
      .find({})
      .toArray()) as unknown as Delivery[];
    expect(deliveries.map(({ eventId }) => eventId).sort()).toEqual(
      events.map(({ _id }) => String(_id)).sort(),
    );
    expect([...received.keys()].sort()).toEqual(events.map(({ _id }) => String(_id)).sort());
    for (const event of events)
      for (const { body } of received.get(String(event._id)) ?? []) expect(body).toBe(event.envelopeJson);
    for (const { status, attemptCount, attempts } of deliveries) {
      expect(status).toBe("Delivered");
      expect(attempts.map(({ attemptNo }) => attemptNo)).toEqual(
        Array.from({ length: attemptCount }, (_, i) => i + 1),
      );
    }
    const counted = deliveries.reduce((sum, { attemptCount }) => sum + attemptCount, 0);
    expect(receiver.requests.length).toBeGreaterThanOrEqual(deliveries.length);
    say(
      `${events.length} events, ${counted} attempts counted, ${receiver.requests.length} requests received`,
    );
  },
  300_000 + ROUNDS * 300_000,
);

/** Each exists exactly once, with all its people. */
async function profilesOf(created: readonly Created[]): Promise<Created[]> {
  const profiles = collection("profile", "business_profiles");
  for (const { customerId, partnerCustomerId, people } of created) {
    const found = await profiles.find({ partnerCustomerId }).toArray();
    expect(found.map(({ _id }) => String(_id))).toEqual([customerId]);
    expect(found[0]?.people).toHaveLength(people);
  }
  return [...created];
}

const pendingDeliveries = () => collection("delivery", "deliveries").countDocuments({ status: "Pending" });
