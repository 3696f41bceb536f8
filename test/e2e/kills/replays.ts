import { expect, test } from "@jest/globals";
import { orderedId } from "../../../shared/ids.ts";
import { newAccounts } from "../../support/clients/accounts.ts";
import { WEBHOOKS } from "../../support/clients/dashboard-client.ts";
import { webhookOwner } from "../../support/clients/webhook-owner.ts";
import { repetitions } from "../../support/repetitions.ts";
import { journeyPlatform } from "../../support/stage/shared-platform.ts";
import { waitFor } from "../../support/wait-for.ts";

/** More than two chunks of the planner. */
const EVENTS = repetitions({ short: 1_100, nightly: 10_000 });
const DAY_MS = 24 * 60 * 60 * 1_000;

test(`the delivery service killed twice in a replay: exactly ${EVENTS} new deliveries, each event received`, async () => {
  const platform = await journeyPlatform();
  await platform.untilReady();
  const accounts = await newAccounts(platform, { partners: 1, roles: ["Owner"] });
  const { owner, receiver, register } = await webhookOwner(platform, accounts);
  await register();
  const database = await platform.database("delivery");
  const partnerId = accounts.partners[0]?.partnerId ?? "";
  const from = Date.now() - 7 * DAY_MS + 60_000;
  const events = Array.from({ length: EVENTS }, (_, index) =>
    anEvent(partnerId, from + Math.floor((index * 6.9 * DAY_MS) / EVENTS)),
  );
  await database.collection("events").insertMany(events as never);

  const jobs = database.collection("replay_jobs");
  const planned = () => database.collection("deliveries").countDocuments({ partnerId });
  /** The planner stops there, so that the kill comes in the middle however fast either of them is. */
  const holdAt = (index: number) =>
    database.command({
      collMod: "deliveries",
      validator: index < EVENTS ? { eventId: { $ne: events[index]?._id } } : {},
    });

  const holds = [0.35, 0.8].map((part) => Math.floor(part * EVENTS));
  await holdAt(holds[0] ?? 0);
  const window = { from: new Date(from).toISOString(), to: new Date().toISOString() };
  const { status, body } = await owner.post<{ created: number }>(`${WEBHOOKS}/replay`, window);
  expect([status, body.value]).toEqual([200, { created: EVENTS, replaySeries: expect.any(String) }]);
  for (const [kills, hold] of holds.entries()) {
    await waitFor(async () => (await planned()) >= hold, { what: `the plan of ${hold}`, everyMs: 100 });
    platform.kill("delivery");
    expect(await jobs.findOne({ partnerId })).toMatchObject({ finishedAt: null });
    expect(await planned()).toBeLessThan(EVENTS);
    await waitFor(async () => (await owner.get(`${WEBHOOKS}/deliveries`)).status === 200, {
      what: "the delivery service to be back",
    });
    const again = await owner.post(`${WEBHOOKS}/replay`, window);
    expect([again.status, again.body.value]).toEqual([200, body.value]);
    const other = await owner.post(`${WEBHOOKS}/replay`, { ...window, includeUnrouted: true });
    expect([other.status, other.body.error?.code]).toEqual([409, "Webhook.ReplayUnderway"]);
    await holdAt(holds[kills + 1] ?? EVENTS);
    // The lease of the dead is over; nothing but the wait for that is left out.
    await jobs.updateOne({ partnerId }, { $set: { claimableAt: new Date() } });
  }

  const pending = () => database.collection("deliveries").countDocuments({ partnerId, status: "Pending" });
  // In this order: what is planned between the two questions is pending at the second.
  const isDone = async () => (await planned()) >= EVENTS && (await pending()) === 0;
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
  const page = await waitFor(
    async () => (await owner.get<{ total: number }>(`${WEBHOOKS}/deliveries?pageSize=1`)).body.value,
    { what: "the history" },
  );
  expect(page.total).toBe(EVENTS);
  await receiver.close();
});

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
    traceparent: null,
    recordedAt: occurredAt,
    endpointId: "before",
  };
}
