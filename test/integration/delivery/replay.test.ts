import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { queueName } from "../../../services/delivery/records/queue-name.rules.ts";
import { replayRepository } from "../../../services/delivery/replay/replay.repository.ts";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import type { ReplayDetail, ReplayView } from "../../../shared/contract/answers/delivery.ts";
import { errorCode } from "../../../shared/errors.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";
import type { Receiver } from "../../support/servers/receiver.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { withoutDeadline } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";
import { aDelivery } from "./record-queries/records.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

let stage: DeliveryStage;
beforeAll(async () => {
  stage = await startDeliveryStage({ PBO_DELIVERY_RETRY_SCHEDULE: "0,0.01,0.01,0.01,0.01,0.01,0.01,0.01" });
});
afterAll(() => stage.stop());

async function aPartner(): Promise<{ partnerId: string; receiver: Receiver }> {
  const receiver = await stage.aReceiver();
  const partnerId = randomUUID();
  await stage.register(partnerId, receiver.url());
  return { partnerId, receiver };
}

const untilTotal = (partnerId: string, query: Record<string, string>, total: number) =>
  waitFor(async () => (await stage.list(partnerId, query)).total === total, {
    what: `${total} deliveries ${JSON.stringify(query)}`,
  });

const replayWindow = (partnerId: string, body: object) =>
  stage.call<{ created: number; replaySeries: string | null }>("delivery.replayWindow", partnerId, { body });

const series = expect.stringMatching(/^[0-9a-f-]{36}$/);
const nothing = { created: 0, replaySeries: null };

const replayOne = (partnerId: string, deliveryId: string) =>
  stage.call<{ deliveryId: string }>("delivery.replayDelivery", partnerId, { params: { deliveryId } });

const aroundNow = () => ({
  from: new Date(stage.clock.now() - 3_600_000).toISOString(),
  to: new Date(stage.clock.now() + 60_000).toISOString(),
});

const codeOf = async (call: Promise<unknown>) => errorCode(await call.catch((error: unknown) => error));

describe("replay of one delivery", () => {
  test("a new delivery with the same event id and bytes, marked as a replay", async () => {
    const { partnerId, receiver } = await aPartner();
    const entry = stage.anEvent(partnerId);
    await stage.publish([entry]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    const [original] = (await stage.list(partnerId)).items;
    const { deliveryId } = await replayOne(partnerId, original?.id ?? "");
    expect(deliveryId).not.toBe(original?.id);
    await untilTotal(partnerId, { status: "Delivered" }, 2);
    const detail = await stage.detail(partnerId, deliveryId);
    expect(detail).toMatchObject({
      eventId: entry.eventId,
      isReplay: true,
      envelopeJson: entry.body,
      attemptCount: 1,
    });
    expect(detail.replaySeries).toEqual(series);
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers).toMatchObject({
      "svc-replay": "true",
      "svc-event-id": entry.eventId,
      "svc-delivery-id": deliveryId,
      "svc-attempt": "1",
    });
    expect(first?.headers).not.toHaveProperty("svc-replay");
    expect(stage.logLines().filter(({ msg }) => msg === "webhook.sending_asked")).toContainEqual(
      expect.objectContaining({ partnerId, userId: expect.any(String), result: { deliveryId } }),
    );
  });

  test("has the full schedule", async () => {
    const { partnerId, receiver } = await aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    receiver.answer(500);
    const { deliveryId } = await replayOne(partnerId, (await stage.list(partnerId)).items[0]?.id ?? "");
    await untilTotal(partnerId, { status: "Exhausted" }, 1);
    expect(await stage.detail(partnerId, deliveryId)).toMatchObject({ attemptCount: 8, isReplay: true });
  });

  test.each([
    ["unknown", () => randomUUID()],
    ["not an id", () => "x"],
  ])("%s: Webhook.DeliveryNotFound", async (_, id) => {
    const { partnerId } = await aPartner();
    expect(await codeOf(replayOne(partnerId, id()))).toBe("Webhook.DeliveryNotFound");
  });

  test("of another partner: Webhook.DeliveryNotFound, nothing sent", async () => {
    const [owner, stranger] = [await aPartner(), await aPartner()];
    await stage.publish([stage.anEvent(owner.partnerId)]);
    await untilTotal(owner.partnerId, { status: "Delivered" }, 1);
    const id = (await stage.list(owner.partnerId)).items[0]?.id ?? "";
    expect(await codeOf(replayOne(stranger.partnerId, id))).toBe("Webhook.DeliveryNotFound");
    expect(await codeOf(stage.detail(stranger.partnerId, id))).toBe("Webhook.DeliveryNotFound");
  });

  test("ten thousand replays wait for the endpoint: Webhook.TooManyReplays, nothing stored", async () => {
    const { partnerId } = await aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    const deliveries = withoutDeadline(stage.runtime().mongo.connection, "deliveries");
    const original = await deliveries.findOne({ partnerId });
    const partition = partitionOf(partnerId, stage.runtime().config.deliveryPartitions);
    const queue = queueName({ endpointId: original?.endpointId, partition }, "replay");
    const waiting = { queue, claimableAt: new Date(stage.clock.now() + 365 * DAY_MS) };
    await deliveries.insertMany(Array.from({ length: 10_000 }, () => ({ ...waiting })));
    expect(await codeOf(replayOne(partnerId, String(original?._id)))).toBe("Webhook.TooManyReplays");
    await deliveries.deleteOne({ queue });
    await replayOne(partnerId, String(original?._id));
    await deliveries.deleteMany(waiting);
  });

  test("older than 30 days: Webhook.EventExpired, and the body is not shown any more", async () => {
    const { partnerId } = await aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    const id = (await stage.list(partnerId)).items[0]?.id ?? "";
    stage.clock.move(31 * DAY_MS);
    expect(await codeOf(replayOne(partnerId, id))).toBe("Webhook.EventExpired");
    expect((await stage.detail(partnerId, id)).envelopeJson).toBeNull();
  });
});

describe("replay of a window", () => {
  test("every routed event of the window once, the answer says how many", async () => {
    const { partnerId, receiver } = await aPartner();
    const entries = Array.from({ length: 30 }, () => stage.anEvent(partnerId));
    await stage.publish(entries);
    await untilTotal(partnerId, { status: "Delivered" }, 30);
    const started = await replayWindow(partnerId, aroundNow());
    expect(started).toEqual({ created: 30, replaySeries: series });
    await untilTotal(partnerId, { status: "Delivered" }, 60);
    const again = receiver.requests.filter(({ headers }) => headers["svc-replay"] === "true");
    expect(again.map(({ body }) => body).sort()).toEqual(entries.map(({ body }) => body).sort());
    const { items } = await stage.list(partnerId, { pageSize: "200" });
    expect(new Set(items.map(({ replaySeries }) => replaySeries))).toEqual(
      new Set([null, started.replaySeries]),
    );
  });

  test("limited to an event type, and to a time", async () => {
    const { partnerId } = await aPartner();
    await stage.publish([stage.anEvent(partnerId), stage.anEvent(partnerId, "business.person.added")]);
    await untilTotal(partnerId, { status: "Delivered" }, 2);
    const eventType = "business.person.added";
    expect(await replayWindow(partnerId, { ...aroundNow(), eventType })).toMatchObject({ created: 1 });
    await untilTotal(partnerId, { status: "Delivered" }, 3);
    expect(await replayWindow(partnerId, { ...aroundNow(), eventType: "no.such" })).toEqual(nothing);
    const past = { from: "2020-01-01", to: "2020-01-02" };
    expect(await codeOf(replayWindow(partnerId, past))).toBe("Webhook.EventExpired");
    const before = new Date(stage.clock.now() - 7_200_000).toISOString();
    const until = new Date(stage.clock.now() - 3_600_000).toISOString();
    expect(await replayWindow(partnerId, { from: before, to: until })).toEqual(nothing);
  });

  test("limited to those whose last delivery has a status", async () => {
    const { partnerId, receiver } = await aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    receiver.answer(500);
    const failed = [stage.anEvent(partnerId), stage.anEvent(partnerId)];
    await stage.publish(failed);
    await untilTotal(partnerId, { status: "Exhausted" }, 2);
    receiver.answer(200);
    expect(await replayWindow(partnerId, { ...aroundNow(), status: "Exhausted" })).toMatchObject({
      created: 2,
    });
    await untilTotal(partnerId, { status: "Delivered" }, 3);
    expect(await replayWindow(partnerId, { ...aroundNow(), status: "Exhausted" })).toEqual(nothing);
  });

  test("events recorded before the endpoint existed: only with includeUnrouted", async () => {
    const receiver = await stage.aReceiver();
    const partnerId = randomUUID();
    const early = [stage.anEvent(partnerId), stage.anEvent(partnerId)];
    await stage.publish(early);
    await waitFor(() => early.every(({ eventId }) => stage.confirmed.has(eventId)), { what: "the events" });
    expect(await codeOf(replayWindow(partnerId, aroundNow()))).toBe("Webhook.EndpointNotFound");
    await stage.register(partnerId, receiver.url());
    expect((await stage.list(partnerId)).total).toBe(0);
    expect(await replayWindow(partnerId, aroundNow())).toEqual(nothing);
    expect(await replayWindow(partnerId, { ...aroundNow(), includeUnrouted: true })).toMatchObject({
      created: 2,
    });
    await receiver.waitForRequests(2);
    expect(receiver.requests.map(({ body }) => body).sort()).toEqual(early.map(({ body }) => body).sort());
  });
});

describe("replays of windows at the same time", () => {
  const jobs = () => stage.runtime().mongo.connection.collection("replay_jobs");
  /** While it holds, the jobs cannot plan a delivery. */
  const holdReplays = (hold: boolean) =>
    stage.runtime().mongo.connection.db?.command({
      collMod: "deliveries",
      validator: hold ? { replaySeries: null } : {},
    });
  afterEach(() => holdReplays(false));
  /** As the answer says: what could not be counted in time on a busy machine is asked again. */
  const replayPatiently = async (partnerId: string, window: object) => {
    for (;;)
      try {
        return await replayWindow(partnerId, window);
      } catch (error) {
        if ((error as { code?: number }).code !== 503) throw error;
      }
  };
  const finished = (partnerId: string) =>
    waitFor(async () => (await jobs().countDocuments({ partnerId, finishedAt: null })) === 0, {
      what: "the end of the replay",
    });

  test("twelve windows in parallel: one becomes the replay, the others are refused and told which it is", async () => {
    const { partnerId, receiver } = await aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    await holdReplays(true);
    const { from, to } = aroundNow();
    const windows = Array.from({ length: 12 }, (_, index) => ({
      from: new Date(Date.parse(from) - index).toISOString(),
      to,
    }));
    const answers = await Promise.allSettled(windows.map((window) => replayPatiently(partnerId, window)));
    const started = answers.flatMap((answer) => (answer.status === "fulfilled" ? [answer.value] : []));
    expect(started).toEqual([{ created: 1, replaySeries: series }]);
    const replaySeries = String(started[0]?.replaySeries);
    const refusals = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : []));
    for (const refusal of refusals) {
      expect(errorCode(refusal)).toBe("Webhook.ReplayUnderway");
      expect(refusal).toMatchObject({ code: 409, data: { details: [{ field: "replaySeries" }] } });
      expect(refusal.message).toContain(replaySeries);
    }
    expect(await jobs().countDocuments({ partnerId })).toBe(1);

    await holdReplays(false);
    stage.clock.move(15_000);
    await finished(partnerId);
    await receiver.waitForRequests(2);
    const later = await replayWindow(partnerId, aroundNow());
    expect(later).toMatchObject({ created: 1 });
    expect(later.replaySeries).not.toBe(replaySeries);
  });

  test("the same window twelve times in parallel and once more when it is done: one job, one answer", async () => {
    const { partnerId, receiver } = await aPartner();
    await stage.publish([stage.anEvent(partnerId), stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 2);
    const window = aroundNow();
    const answers = await Promise.all(Array.from({ length: 12 }, () => replayPatiently(partnerId, window)));
    await untilTotal(partnerId, { status: "Delivered" }, 4);
    await finished(partnerId);
    answers.push(await replayWindow(partnerId, window));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ created: 2, replaySeries: series });
    expect(await jobs().countDocuments({ partnerId })).toBe(1);
    expect(receiver.requests).toHaveLength(4);

    stage.clock.move(10 * 60_000);
    const anew = await replayWindow(partnerId, window);
    expect(anew).toMatchObject({ created: 2 });
    expect(anew.replaySeries).not.toBe(answers[0]?.replaySeries);
  });

  test("a replay of another partner is in nobody's way", async () => {
    const [one, two] = [await aPartner(), await aPartner()];
    await stage.publish([stage.anEvent(one.partnerId), stage.anEvent(two.partnerId)]);
    for (const { partnerId } of [one, two]) await untilTotal(partnerId, { status: "Delivered" }, 1);
    await holdReplays(true);
    expect(await replayWindow(one.partnerId, aroundNow())).toMatchObject({ created: 1 });
    expect(await replayWindow(two.partnerId, aroundNow())).toMatchObject({ created: 1 });
    await holdReplays(false);
    stage.clock.move(15_000);
    for (const { partnerId } of [one, two]) await untilTotal(partnerId, { status: "Delivered" }, 2);
  });
});

describe("a test event", () => {
  test("arrives signed like any other, and is in the history", async () => {
    const { partnerId, receiver } = await aPartner();
    const { eventId } = await stage.call<{ eventId: string }>("delivery.sendTest", partnerId);
    await receiver.waitForRequests(1);
    const [request] = receiver.requests;
    expect(request?.headers).toMatchObject({ "svc-event-id": eventId, "svc-event-type": "webhook.test" });
    const envelope = JSON.parse(request?.body ?? "{}");
    expect(envelope).toMatchObject({ eventId, eventType: "webhook.test", eventVersion: 1, partnerId });
    expect(Object.keys(envelope.data)).toEqual(["message"]);
    await untilTotal(partnerId, { eventType: "webhook.test", status: "Delivered" }, 1);
  });

  test("without a webhook: Webhook.EndpointNotFound", async () => {
    expect(await codeOf(stage.call("delivery.sendTest", randomUUID()))).toBe("Webhook.EndpointNotFound");
  });
});

describe("the audit trail", () => {
  test("has who asked for a replay and of what, before it is made; without an entry nothing is sent", async () => {
    const { partnerId } = await aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    await untilTotal(partnerId, { status: "Delivered" }, 1);
    const [original] = (await stage.list(partnerId)).items;
    const window = aroundNow();
    await stage.audit().refusing(async () => {
      expect(await codeOf(replayWindow(partnerId, window))).toBe("Service.Error");
      expect(await codeOf(replayOne(partnerId, original?.id ?? ""))).toBe("Service.Error");
    });
    expect((await stage.list(partnerId)).total).toBe(1);
    await replayOne(partnerId, original?.id ?? "");
    await untilTotal(partnerId, { status: "Delivered" }, 2);
    await replayWindow(partnerId, { ...window, note: "not kept" });
    expect(await stage.audit().entries({ partnerId })).toMatchObject([
      {
        action: "webhook.replay_asked",
        subject: original?.id,
        who: { kind: "user", email: "dev@example.com" },
      },
      { action: "webhook.window_replay_asked", after: window },
    ]);
  });
});

describe("replays as a person sees them", () => {
  const listed = async (partnerId: string) =>
    (await stage.call<{ items: ReplayView[] }>("delivery.listReplays", partnerId)).items;
  const one = (partnerId: string, replaySeries: string) =>
    stage.call<ReplayDetail>("delivery.getReplay", partnerId, { params: { replaySeries } });
  const stop = (partnerId: string, replaySeries: string) =>
    stage.call<ReplayDetail>("delivery.stopReplay", partnerId, { params: { replaySeries } });

  async function aDeliveredPartner(events: number) {
    const partner = await aPartner();
    await stage.publish(Array.from({ length: events }, () => stage.anEvent(partner.partnerId)));
    await untilTotal(partner.partnerId, { status: "Delivered" }, events);
    return partner;
  }

  test("dryRun: the number, and nothing is sent, listed or written down", async () => {
    const { partnerId, receiver } = await aDeliveredPartner(3);
    const dry = await replayWindow(partnerId, { ...aroundNow(), dryRun: true });
    expect(dry).toEqual({ created: 3, replaySeries: null });
    expect(
      await replayWindow(partnerId, { ...aroundNow(), dryRun: true, eventType: "webhook.test" }),
    ).toEqual(nothing);
    expect(await codeOf(replayWindow(partnerId, { ...aroundNow(), dryRun: "yes" }))).toBe(
      "ValidationControl.Error",
    );
    expect(await listed(partnerId)).toEqual([]);
    expect(receiver.requests).toHaveLength(3);
    expect(await stage.audit().entries({ partnerId, action: "webhook.window_replay_asked" })).toHaveLength(1);
  });

  test("a finished one: listed with what was asked, and what became of its deliveries", async () => {
    const { partnerId } = await aDeliveredPartner(2);
    const window = aroundNow();
    const { replaySeries } = await replayWindow(partnerId, { ...window, status: "Delivered" });
    await waitFor(async () => (await one(partnerId, replaySeries ?? "")).deliveries.delivered === 2, {
      what: "both to arrive again",
    });
    await waitFor(async () => (await listed(partnerId))[0]?.state === "Finished", { what: "the end" });
    const [item] = await listed(partnerId);
    expect(item).toEqual({
      replaySeries,
      state: "Finished",
      from: window.from,
      to: window.to,
      eventType: null,
      status: "Delivered",
      includeUnrouted: false,
      askedAt: expect.any(String),
      finishedAt: expect.any(String),
      created: 2,
      expected: 2,
    });
    expect(await stop(partnerId, replaySeries ?? "")).toMatchObject({ state: "Finished" });
    for (const wrong of [randomUUID(), "x", ""])
      expect(await codeOf(one(partnerId, wrong))).toBe("Webhook.ReplayNotFound");
    const stranger = randomUUID();
    expect(await codeOf(one(stranger, replaySeries ?? ""))).toBe("Webhook.ReplayNotFound");
    expect(await codeOf(stop(stranger, replaySeries ?? ""))).toBe("Webhook.ReplayNotFound");
    expect(await listed(stranger)).toEqual([]);
  });

  test("a running one that is stopped: plans nothing more, is written down, and the next may begin", async () => {
    const { partnerId } = await aDeliveredPartner(1);
    const asked = new Date(stage.clock.now());
    const job: ReplayJob = {
      _id: randomUUID(),
      partnerId,
      number: 1,
      endpointId: "e",
      from: asked,
      to: asked,
      eventTypes: ["webhook.test"],
      status: null,
      includeUnrouted: false,
      askedAt: asked,
      cursor: null,
      created: 4,
      expected: 9,
      // Held by a worker that is busy with it.
      claimableAt: new Date(stage.clock.now() + DAY_MS),
      claim: "worker",
      finishedAt: null,
      isStopped: false,
    };
    const { connection } = stage.runtime().mongo;
    await collectionOf(connection, COLLECTIONS.replayJobs).insertOne(job);
    expect(await codeOf(replayWindow(partnerId, aroundNow()))).toBe("Webhook.ReplayUnderway");
    expect(await one(partnerId, job._id)).toMatchObject({ state: "Running", eventType: "webhook.test" });

    expect(await stop(partnerId, job._id)).toMatchObject({ state: "Stopped", created: 4, expected: 9 });
    expect(await replayRepository(connection).advance(job, null, 1, stage.clock.now())).toBe(false);
    expect(await one(partnerId, job._id)).toMatchObject({ state: "Stopped", created: 4 });
    // Planned by the worker, which could not count them any more.
    const planned = Array.from({ length: 6 }, () =>
      aDelivery({ partnerId, endpointId: job.endpointId, replaySeries: job._id }),
    );
    await collectionOf(connection, COLLECTIONS.deliveries).insertMany(planned);
    expect(await one(partnerId, job._id)).toMatchObject({ created: 6, deliveries: { delivered: 6 } });
    const trail = await stage.audit().entries({ partnerId, action: "webhook.replay_stopped" });
    expect(trail).toMatchObject([{ subject: job._id, after: { created: 4, expected: 9 } }]);
    expect(await replayWindow(partnerId, aroundNow())).toMatchObject({ created: 1, replaySeries: series });
    expect((await listed(partnerId)).map(({ state }) => state)[1]).toBe("Stopped");
  });
});
