import { describe, expect, test } from "@jest/globals";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

/** An endpoint may have four requests under way, and nobody gives up on a hanging one within a test. */
const stage = stageOfFile(() =>
  startDeliveryStage({
    PBO_DELIVERY_PER_ENDPOINT: "4",
    PBO_DELIVERY_IN_FLIGHT: "64",
    PBO_WEBHOOK_TIMEOUT_MS: "60000",
    // A slow handshake on a busy machine is no failed attempt.
    PBO_WEBHOOK_CONNECT_TIMEOUT_MS: "30000",
  }),
);

const never = () => undefined;

describe("fairness", () => {
  test("twelve endpoints that hang, each with a flood: a healthy endpoint gets all of its events", async () => {
    const hanging = await Promise.all(Array.from({ length: 12 }, stage.aPartner));
    for (const { receiver } of hanging) receiver.answer(never);
    const floods = hanging.flatMap(({ partnerId }) =>
      Array.from({ length: 40 }, () => stage.anEvent(partnerId)),
    );
    await stage.publish(floods);
    await waitFor(() => hanging.every(({ receiver }) => receiver.requests.length > 0), "them to hang");
    const { partnerId, receiver } = await stage.aPartner();
    await stage.publish(Array.from({ length: 50 }, () => stage.anEvent(partnerId)));
    await stage.untilTotal(partnerId, { status: "Delivered" }, 50);
    expect(receiver.requests).toHaveLength(50);
    for (const { receiver: slow } of hanging) expect(slow.requests.length).toBeLessThanOrEqual(4);
    for (const { partnerId: slow } of hanging)
      expect(await stage.list(slow)).toMatchObject({
        total: 40,
        items: expect.not.arrayContaining([expect.objectContaining({ status: "Delivered" })]),
      });
    await Promise.all(hanging.map(({ receiver: slow }) => slow.close()));
  });

  test("a flooded endpoint gets the remaining events later, each exactly once and as first attempts", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    const entries = Array.from({ length: 600 }, () => stage.anEvent(partnerId));
    await stage.publish(entries);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 600);
    expect(receiver.requests.map(({ headers }) => headers["svc-event-id"]).sort()).toEqual(
      entries.map(({ eventId }) => eventId).sort(),
    );
    expect(new Set(receiver.requests.map(({ headers }) => headers["svc-attempt"]))).toEqual(new Set(["1"]));
  });

  test("a large replay to a slow endpoint: a new event of the same endpoint goes before the rest of it", async () => {
    const { partnerId, receiver } = await stage.aServedPartner(200);
    receiver.answer((_request, response) => void setTimeout(() => response.writeHead(200).end(), 100));
    await stage.replayWindow(partnerId, stage.aroundNow());
    await receiver.waitForRequests(205);
    const fresh = stage.anEvent(partnerId);
    await stage.publish([fresh]);
    await waitFor(() => receiver.requests.some(({ headers }) => headers["svc-event-id"] === fresh.eventId), {
      what: "the new event",
    });
    const replayed = receiver.requests.filter(({ headers }) => headers["svc-replay"] === "true").length;
    expect(replayed).toBeLessThan(100);
    receiver.answer(200);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 401);
    expect(receiver.requests.filter(({ headers }) => headers["svc-replay"] === "true")).toHaveLength(200);
  });
});
