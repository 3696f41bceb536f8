/** Replays of a window: their events, several at the same time, and their progress as a person sees it. */
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { replayRepository } from "../../../services/delivery/replay/replay.repository.ts";
import type { ReplayDetail, ReplayView } from "../../../shared/contract/answers/delivery.ts";
import { errorCode } from "../../../shared/errors.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
import { aDelivery, aJob, DAY_MS } from "../../support/builders/delivery-records.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(() =>
  startDeliveryStage({ PBO_DELIVERY_RETRY_SCHEDULE: "0,0.01,0.01,0.01,0.01,0.01,0.01,0.01" }),
);

const series = expect.stringMatching(/^[0-9a-f-]{36}$/);
const nothing = { created: 0, replaySeries: null };

describe("replay of a window", () => {
  test("every routed event of the window once, the answer says how many", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    const entries = Array.from({ length: 30 }, () => stage.anEvent(partnerId));
    await stage.publish(entries);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 30);
    const started = await stage.replayWindow(partnerId, stage.aroundNow());
    expect(started).toEqual({ created: 30, replaySeries: series });
    await stage.untilTotal(partnerId, { status: "Delivered" }, 60);
    const again = receiver.requests.filter(({ headers }) => headers["svc-replay"] === "true");
    expect(again.map(({ body }) => body).sort()).toEqual(entries.map(({ body }) => body).sort());
    const { items } = await stage.list(partnerId, { pageSize: "200" });
    expect(new Set(items.map(({ replaySeries }) => replaySeries))).toEqual(
      new Set([null, started.replaySeries]),
    );
  });

  test("limited to an event type, and to a time", async () => {
    const { partnerId } = await stage.aPartner();
    await stage.publish([stage.anEvent(partnerId), stage.anEvent(partnerId, "business.person.added")]);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 2);
    const eventType = "business.person.added";
    expect(await stage.replayWindow(partnerId, { ...stage.aroundNow(), eventType })).toMatchObject({
      created: 1,
    });
    await stage.untilTotal(partnerId, { status: "Delivered" }, 3);
    expect(await stage.replayWindow(partnerId, { ...stage.aroundNow(), eventType: "no.such" })).toEqual(
      nothing,
    );
    const past = { from: "2020-01-01", to: "2020-01-02" };
    expect(await stage.replayWindow(partnerId, past).catch(errorCode)).toBe("Webhook.EventExpired");
    const before = new Date(stage.clock.now() - 7_200_000).toISOString();
    const until = new Date(stage.clock.now() - 3_600_000).toISOString();
    expect(await stage.replayWindow(partnerId, { from: before, to: until })).toEqual(nothing);
  });

  test("limited to those whose last delivery has a status", async () => {
    const { partnerId, receiver } = await stage.aServedPartner();
    receiver.answer(500);
    const failed = [stage.anEvent(partnerId), stage.anEvent(partnerId)];
    await stage.publish(failed);
    await stage.untilTotal(partnerId, { status: "Exhausted" }, 2);
    receiver.answer(200);
    expect(await stage.replayWindow(partnerId, { ...stage.aroundNow(), status: "Exhausted" })).toMatchObject({
      created: 2,
    });
    await stage.untilTotal(partnerId, { status: "Delivered" }, 3);
    expect(await stage.replayWindow(partnerId, { ...stage.aroundNow(), status: "Exhausted" })).toEqual(
      nothing,
    );
  });

  test("events recorded before the endpoint existed: only with includeUnrouted", async () => {
    const receiver = await stage.aReceiver();
    const partnerId = randomUUID();
    const early = [stage.anEvent(partnerId), stage.anEvent(partnerId)];
    await stage.publish(early);
    await waitFor(() => early.every(({ eventId }) => stage.confirmed.has(eventId)), "the events");
    expect(await stage.replayWindow(partnerId, stage.aroundNow()).catch(errorCode)).toBe(
      "Webhook.EndpointNotFound",
    );
    await stage.register(partnerId, receiver.url());
    expect((await stage.list(partnerId)).total).toBe(0);
    expect(await stage.replayWindow(partnerId, stage.aroundNow())).toEqual(nothing);
    expect(
      await stage.replayWindow(partnerId, { ...stage.aroundNow(), includeUnrouted: true }),
    ).toMatchObject({
      created: 2,
    });
    await receiver.waitForRequests(2);
    expect(receiver.requests.map(({ body }) => body).sort()).toEqual(early.map(({ body }) => body).sort());
  });
});

describe("replays of windows at the same time", () => {
  const jobs = () => stage.runtime().mongo.connection.collection("replay_jobs");
  /** While true, the jobs cannot schedule a delivery. */
  const holdReplays = (hold: boolean) =>
    stage.runtime().mongo.connection.db?.command({
      collMod: "deliveries",
      validator: hold ? { replaySeries: null } : {},
    });
  afterEach(() => holdReplays(false));
  /** A busy machine may not count in time; its 503 asks to try again. */
  const replayPatiently = async (partnerId: string, window: object) => {
    for (;;)
      try {
        return await stage.replayWindow(partnerId, window);
      } catch (error) {
        if ((error as { code?: number }).code !== 503) throw error;
      }
  };
  const finished = (partnerId: string) =>
    waitFor(async () => (await jobs().countDocuments({ partnerId, finishedAt: null })) === 0, {
      what: "the end of the replay",
    });

  test("twelve windows in parallel: one becomes the replay, the others are refused and told which it is", async () => {
    const { partnerId, receiver } = await stage.aServedPartner();
    await holdReplays(true);
    const { from, to } = stage.aroundNow();
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
    const later = await stage.replayWindow(partnerId, stage.aroundNow());
    expect(later).toMatchObject({ created: 1 });
    expect(later.replaySeries).not.toBe(replaySeries);
  });

  test("the same window twelve times in parallel and once more when it is done: one job, one answer", async () => {
    const { partnerId, receiver } = await stage.aServedPartner(2);
    const window = stage.aroundNow();
    const answers = await Promise.all(Array.from({ length: 12 }, () => replayPatiently(partnerId, window)));
    await stage.untilTotal(partnerId, { status: "Delivered" }, 4);
    await finished(partnerId);
    answers.push(await stage.replayWindow(partnerId, window));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toEqual({ created: 2, replaySeries: series });
    expect(await jobs().countDocuments({ partnerId })).toBe(1);
    expect(receiver.requests).toHaveLength(4);

    stage.clock.move(10 * 60_000);
    const anew = await stage.replayWindow(partnerId, window);
    expect(anew).toMatchObject({ created: 2 });
    expect(anew.replaySeries).not.toBe(answers[0]?.replaySeries);
  });

  test("a replay of another partner is in nobody's way", async () => {
    const [one, two] = [await stage.aServedPartner(), await stage.aServedPartner()];
    await holdReplays(true);
    expect(await stage.replayWindow(one.partnerId, stage.aroundNow())).toMatchObject({ created: 1 });
    expect(await stage.replayWindow(two.partnerId, stage.aroundNow())).toMatchObject({ created: 1 });
    await holdReplays(false);
    stage.clock.move(15_000);
    for (const { partnerId } of [one, two]) await stage.untilTotal(partnerId, { status: "Delivered" }, 2);
  });
});

describe("replays as a person sees them", () => {
  const listed = async (partnerId: string) =>
    (await stage.call<{ items: ReplayView[] }>("delivery.listReplays", partnerId)).items;
  const one = (partnerId: string, replaySeries: string) =>
    stage.call<ReplayDetail>("delivery.getReplay", partnerId, { params: { replaySeries } });
  const stop = (partnerId: string, replaySeries: string) =>
    stage.call<ReplayDetail>("delivery.stopReplay", partnerId, { params: { replaySeries } });

  test("dryRun: the number, and nothing is sent, listed or written down", async () => {
    const { partnerId, receiver } = await stage.aServedPartner(3);
    const dry = await stage.replayWindow(partnerId, { ...stage.aroundNow(), dryRun: true });
    expect(dry).toEqual({ created: 3, replaySeries: null });
    expect(
      await stage.replayWindow(partnerId, { ...stage.aroundNow(), dryRun: true, eventType: "webhook.test" }),
    ).toEqual(nothing);
    expect(
      await stage.replayWindow(partnerId, { ...stage.aroundNow(), dryRun: "yes" }).catch(errorCode),
    ).toBe("ValidationControl.Error");
    expect(await listed(partnerId)).toEqual([]);
    expect(receiver.requests).toHaveLength(3);
    expect(await stage.audit().entries({ partnerId, action: "webhook.window_replay_asked" })).toHaveLength(1);
  });

  test("a finished replay is listed with its request and the totals of its deliveries", async () => {
    const { partnerId } = await stage.aServedPartner(2);
    const window = stage.aroundNow();
    const { replaySeries } = await stage.replayWindow(partnerId, { ...window, status: "Delivered" });
    await waitFor(async () => (await one(partnerId, replaySeries ?? "")).deliveries.delivered === 2, {
      what: "both to arrive again",
    });
    await waitFor(async () => (await listed(partnerId))[0]?.state === "Finished", "the end");
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
      expect(await one(partnerId, wrong).catch(errorCode)).toBe("Webhook.ReplayNotFound");
    const stranger = randomUUID();
    expect(await one(stranger, replaySeries ?? "").catch(errorCode)).toBe("Webhook.ReplayNotFound");
    expect(await stop(stranger, replaySeries ?? "").catch(errorCode)).toBe("Webhook.ReplayNotFound");
    expect(await listed(stranger)).toEqual([]);
  });

  test("a running replay that is stopped schedules nothing more, is audited, and the next may begin", async () => {
    const { partnerId } = await stage.aServedPartner();
    // Owned by a worker that is busy with it.
    const claimed = { claim: "worker", claimableAt: new Date(stage.clock.now() + DAY_MS) };
    const job = aJob({ partnerId, eventTypes: ["webhook.test"], created: 4, expected: 9, ...claimed });
    const { connection } = stage.runtime().mongo;
    await collectionOf(connection, COLLECTIONS.replayJobs).insertOne(job);
    expect(await stage.replayWindow(partnerId, stage.aroundNow()).catch(errorCode)).toBe(
      "Webhook.ReplayUnderway",
    );
    expect(await one(partnerId, job._id)).toMatchObject({ state: "Running", eventType: "webhook.test" });

    expect(await stop(partnerId, job._id)).toMatchObject({ state: "Stopped", created: 4, expected: 9 });
    expect(await replayRepository(connection).advance(job, null, 1, stage.clock.now())).toBe(false);
    expect(await one(partnerId, job._id)).toMatchObject({ state: "Stopped", created: 4 });
    // Scheduled by the worker, which could no longer count them.
    const planned = Array.from({ length: 6 }, () =>
      aDelivery({ partnerId, endpointId: job.endpointId, replaySeries: job._id }),
    );
    await collectionOf(connection, COLLECTIONS.deliveries).insertMany(planned);
    expect(await one(partnerId, job._id)).toMatchObject({ created: 6, deliveries: { delivered: 6 } });
    const trail = await stage.audit().entries({ partnerId, action: "webhook.replay_stopped" });
    expect(trail).toMatchObject([{ subject: job._id, after: { created: 4, expected: 9 } }]);
    expect(await stage.replayWindow(partnerId, stage.aroundNow())).toMatchObject({
      created: 1,
      replaySeries: series,
    });
    expect((await listed(partnerId)).map(({ state }) => state)[1]).toBe("Stopped");
  });
});
