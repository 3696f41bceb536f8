/** A replay of seven days with 10,000 events, its process killed twice in the middle. */
import { readFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { orderedId } from "../../shared/ids.ts";
import { databaseName } from "../../shared/mongo.ts";
import {
  type DashboardClient,
  dashboardClient,
  demoLogin,
  WEBHOOKS,
} from "../support/clients/dashboard-client.ts";
import { type Receiver, startReceiver } from "../support/servers/receiver.ts";
import { startPlatform, type TestPlatform } from "../support/stage/platform.ts";
import { waitFor } from "../support/wait-for.ts";

const EVENTS = 10_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

let platform: TestPlatform;
let receiver: Receiver;
let owner: DashboardClient;
let database: mongoose.Connection;

beforeAll(async () => {
  platform = await startPlatform({
    services: ["gateway", "auth-token", "webhook-registry", "delivery"],
    env: { PBO_DELIVERY_LEASE_MS: "5000" },
  });
  const { cert, key } = platform.demo.tls;
  receiver = await startReceiver({
    certificate: { cert: readFileSync(cert, "utf8"), key: readFileSync(key, "utf8") },
  });
  owner = await dashboardClient(platform.baseUrl, demoLogin(platform.demo, "Owner"));
  const connection = await mongoose.createConnection(platform.addresses.mongodbUri).asPromise();
  database = connection.useDb(databaseName("", "delivery"));
}, 180_000);
afterAll(async () => {
  await database?.close();
  await receiver?.close();
  await platform?.stop();
}, 60_000);

test("exactly 10,000 new deliveries at the end, each event received", async () => {
  expect((await owner.post(WEBHOOKS, { url: receiver.url() })).status).toBe(200);
  const partnerId = platform.demo.partners[0]?.partnerId ?? "";
  const from = Date.now() - 7 * DAY_MS + 60_000;
  const events = Array.from({ length: EVENTS }, (_, index) =>
    anEvent(partnerId, from + Math.floor((index * 6.9 * DAY_MS) / EVENTS)),
  );
  await database.collection("events").insertMany(events as never);
  const window = { from: new Date(from).toISOString(), to: new Date().toISOString() };
  const { status, body } = await owner.post<{ created: number }>(`${WEBHOOKS}/replay`, window);
  expect([status, body.value]).toEqual([200, { created: EVENTS }]);

  const planned = () => database.collection("deliveries").countDocuments({ partnerId });
  const job = () => database.collection("replay_jobs").findOne({ partnerId });
  let created = 0;
  for (let kills = 0; kills < 2; kills += 1) {
    // The planner goes fast: beside a busy machine the test must not be slower.
    setPriority(platform.pidOf("delivery") ?? 0, constants.priority.PRIORITY_LOW);
    const before = created;
    created = await waitFor(
      async () => {
        const now = (await job())?.created;
        return now > before && now;
      },
      { what: `progress beyond ${before}`, everyMs: 1, timeoutMs: 120_000 },
    );
    platform.kill("delivery");
    expect(await job()).toMatchObject({ finishedAt: null });
    await waitFor(async () => (await owner.get(`${WEBHOOKS}/deliveries`)).status === 200, {
      what: "the delivery service to be back",
      timeoutMs: 60_000,
    });
  }

  const isDone = async () => {
    const pending = await database.collection("deliveries").countDocuments({ partnerId, status: "Pending" });
    return pending === 0 && (await planned()) >= EVENTS;
  };
  await waitFor(isDone, { what: "the end of the replay", everyMs: 250, timeoutMs: 300_000 });
  expect(await planned()).toBe(EVENTS);
  const deliveries = await database.collection("deliveries").find({ partnerId }).toArray();
  expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(EVENTS);
  expect(new Set(deliveries.map(({ replaySeries }) => replaySeries)).size).toBe(1);
  expect(deliveries.every((each) => each.status === "Delivered")).toBe(true);
  const received = new Map(
    receiver.requests.map(({ headers, body: text }) => [headers["svc-event-id"], text]),
  );
  expect(received.size).toBe(EVENTS);
  for (const event of events) expect(received.get(event._id)).toBe(event.envelopeJson);
  const answer = await owner.get<{ total: number }>(`${WEBHOOKS}/deliveries?pageSize=1`);
  expect(answer.body.value?.total).toBe(EVENTS);
}, 600_000);

function anEvent(partnerId: string, at: number) {
  const eventId = orderedId(at);
  const occurredAt = new Date(at);
  const envelope = {
    eventId,
    eventType: "business.profile.created",
    eventVersion: 1,
    occurredAt: occurredAt.toISOString(),
    partnerId,
    data: {},
  };
  return {
    _id: eventId,
    partnerId,
    eventType: envelope.eventType,
    eventVersion: 1,
    occurredAt,
    customerId: null,
    sequence: null,
    envelopeJson: JSON.stringify(envelope),
    source: "profile",
    traceparent: null,
    recordedAt: occurredAt,
    endpointId: "before",
  };
}
