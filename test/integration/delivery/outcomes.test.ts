/** Answers to a test event and a replay while the database is silent, compared with the stored result. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type Connection, createConnection } from "mongoose";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import type { EventRecord } from "../../../services/delivery/records/event.model.ts";
import { errorCode } from "../../../shared/errors.ts";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { repetitions } from "../../support/repetitions.ts";
import { type Link, type LinkMode, startLink } from "../../support/servers/link.ts";
import { testServers } from "../../support/servers/servers.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

const ROUNDS = repetitions({ short: 12, nightly: 60 });
const AT_ONCE = 3;
const WITHIN_MS = 700;
/** By the service itself, or by the circuit before it. */
const NOTHING_CHANGED = new Set(["Service.Unavailable", "SERVICE_NOT_AVAILABLE"]);
/** Only a request whose write was sent and not acknowledged may answer it: a small share. */
const UNKNOWN = "Service.OutcomeUnknown";
const MODES: LinkMode[] = ["hold", "hold-up", "hold-down"];

let stage: DeliveryStage;
let link: Link;
let direct: Connection;
const partnerId = randomUUID();

beforeAll(async () => {
  link = await startLink(testServers().mongodbUri);
  stage = await startDeliveryStage();
  await stage.register(partnerId);
  // Replaces the process by one whose database is behind the link.
  const first = stage.broker();
  await stage.startDelivery({ PBO_MONGODB_URI: link.url });
  await stage.stopDelivery(first);
  await waitFor(() => stage.call("delivery.eventTypes", partnerId), "the registry to know it");
  const dbName = databaseName(stage.namespace, "delivery");
  direct = await createConnection(testServers().mongodbUri, { dbName }).asPromise();
});
afterAll(async () => {
  link.set("pass");
  await stage.stop();
  await direct.close();
  await link.close();
});

type Asked = { requestId: string; answer: string };

async function ask(action: "delivery.sendTest" | "delivery.replayDelivery", deliveryId = ""): Promise<Asked> {
  const requestId = randomUUID();
  const endsAt = performance.now() + WITHIN_MS;
  const http = { params: { deliveryId } };
  try {
    await stage.call(action, partnerId, http, { requestId, endsAt });
    return { requestId, answer: "done" };
  } catch (error) {
    return { requestId, answer: errorCode(error) ?? String(error) };
  }
}

const events = () => direct.collection<EventRecord>("events");
const deliveries = () => direct.collection<DeliveryRecord>("deliveries");

async function aDelivery(): Promise<{ deliveryId: string; eventId: string }> {
  const patient = { endsAt: performance.now() + 60_000 };
  const send = () => stage.call<{ eventId: string }>("delivery.sendTest", partnerId, {}, patient);
  const { eventId } = await waitFor(send, "the circuit to close and a test to be sent");
  const found = await waitFor(() => deliveries().findOne({ eventId }), "the delivery");
  return { deliveryId: found._id, eventId };
}

/** Whether each of them is stored, by what it was asked for. */
async function storedTests(): Promise<Set<string>> {
  const found = await events().find({ eventType: "webhook.test" }).toArray();
  return new Set(found.map(({ envelopeJson }) => JSON.parse(envelopeJson).correlation.requestId));
}
const storedReplays = async (): Promise<Set<string>> =>
  new Set(
    (
      await deliveries()
        .find({ replaySeries: { $ne: null } })
        .toArray()
    ).map(({ eventId }) => eventId),
  );

test("every answer is true, and only a request of unknown outcome is stored after its answer", async () => {
  const originals = await Promise.all(Array.from({ length: ROUNDS * AT_ONCE }, aDelivery));
  const startedAt = performance.now();
  await aDelivery();
  const usualMs = performance.now() - startedAt;
  const tests: Asked[] = [];
  const replays: (Asked & { eventId: string })[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const asked = originals
      .slice(round * AT_ONCE, (round + 1) * AT_ONCE)
      .flatMap(({ deliveryId, eventId }) => [
        ask("delivery.sendTest").then((one) => tests.push(one)),
        ask("delivery.replayDelivery", deliveryId).then((one) => replays.push({ ...one, eventId })),
      ]);
    // From before the first read until after the last write.
    await new Promise((resolve) => setTimeout(resolve, (round * 1.5 * usualMs) / ROUNDS));
    link.set(MODES[round % MODES.length] as LinkMode);
    await Promise.all(asked);
    const before = [...(await storedTests()), ...(await storedReplays())];
    link.set("pass");
    await aDelivery();
    const after = [...(await storedTests()), ...(await storedReplays())].filter((id) => !before.includes(id));
    const unknown = [
      ...tests.filter(({ answer }) => answer === UNKNOWN).map(({ requestId }) => requestId),
      ...replays.filter(({ answer }) => answer === UNKNOWN).map(({ eventId }) => eventId),
    ];
    // The request of the test that was just sent.
    expect(after.filter((id) => !unknown.includes(id))).toHaveLength(1);
  }
  const exist = { tests: await storedTests(), replays: await storedReplays() };
  const untrue = [
    ...tests.map(({ answer, requestId }) => ({ what: "test", answer, exists: exist.tests.has(requestId) })),
    ...replays.map(({ answer, eventId }) => ({ what: "replay", answer, exists: exist.replays.has(eventId) })),
  ].filter(({ answer, exists }) => {
    if (answer === UNKNOWN) return false;
    return exists ? answer !== "done" : !NOTHING_CHANGED.has(answer);
  });
  expect(untrue).toEqual([]);
  for (const asked of [tests, replays]) {
    const answers = asked.map(({ answer }) => answer);
    expect(answers.some((answer) => NOTHING_CHANGED.has(answer))).toBe(true);
    const unknown = answers.filter((answer) => answer === UNKNOWN);
    expect(unknown.length).toBeLessThanOrEqual(answers.length / 2);
  }
});
