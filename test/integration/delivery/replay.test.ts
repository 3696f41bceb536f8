/** A replay of one delivery, and a test event. */
import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { queueName } from "../../../services/delivery/records/queue-name.rules.ts";
import { errorCode } from "../../../shared/errors.ts";
import { partitionOf } from "../../../shared/partitions/partition-table.rules.ts";
import { DAY_MS } from "../../support/builders/delivery-records.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { withoutDeadline } from "../../support/stage/test-database.ts";

const stage = stageOfFile(() =>
  startDeliveryStage({ PBO_DELIVERY_RETRY_SCHEDULE: "0,0.01,0.01,0.01,0.01,0.01,0.01,0.01" }),
);

describe("replay of one delivery", () => {
  test("a new delivery with the same event id and bytes, marked as a replay", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    const entry = stage.anEvent(partnerId);
    await stage.publish([entry]);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 1);
    const [original] = (await stage.list(partnerId)).items;
    const { deliveryId } = await stage.replay(partnerId, original?.id ?? "");
    expect(deliveryId).not.toBe(original?.id);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 2);
    const detail = await stage.detail(partnerId, deliveryId);
    expect(detail).toMatchObject({
      eventId: entry.eventId,
      isReplay: true,
      envelopeJson: entry.body,
      attemptCount: 1,
    });
    expect(detail.replaySeries).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
    const [first, second] = receiver.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers).toMatchObject({
      "svc-replay": "true",
      "svc-event-id": entry.eventId,
      "svc-delivery-id": deliveryId,
      "svc-attempt": "1",
    });
    expect(first?.headers).not.toHaveProperty("svc-replay");
    expect(stage.logLines().filter(({ msg }) => msg === "webhook.sending_requested")).toContainEqual(
      expect.objectContaining({ partnerId, userId: expect.any(String), result: { deliveryId } }),
    );
  });

  test("has the full schedule", async () => {
    const { partnerId, receiver } = await stage.aServedPartner();
    receiver.answer(500);
    const { deliveryId } = await stage.replay(partnerId, (await stage.list(partnerId)).items[0]?.id ?? "");
    await stage.untilTotal(partnerId, { status: "Exhausted" }, 1);
    expect(await stage.detail(partnerId, deliveryId)).toMatchObject({ attemptCount: 8, isReplay: true });
  });

  test("unknown, not an id or of another partner: Webhook.DeliveryNotFound, nothing sent", async () => {
    const [owner, stranger] = [await stage.aServedPartner(), await stage.aPartner()];
    const id = (await stage.list(owner.partnerId)).items[0]?.id ?? "";
    for (const wrong of [id, randomUUID(), "x"])
      expect(await stage.replay(stranger.partnerId, wrong).catch(errorCode)).toBe("Webhook.DeliveryNotFound");
    expect(await stage.detail(stranger.partnerId, id).catch(errorCode)).toBe("Webhook.DeliveryNotFound");
  });

  test("ten thousand replays wait for the endpoint: Webhook.TooManyReplays, nothing stored", async () => {
    const { partnerId } = await stage.aServedPartner();
    const deliveries = withoutDeadline(stage.runtime().mongo.connection, "deliveries");
    const original = await deliveries.findOne({ partnerId });
    const partition = partitionOf(partnerId, stage.runtime().config.deliveryPartitions);
    const queue = queueName({ endpointId: original?.endpointId, partition }, "replay");
    const waiting = { queue, claimableAt: new Date(stage.clock.now() + 365 * DAY_MS) };
    await deliveries.insertMany(Array.from({ length: 10_000 }, () => ({ ...waiting })));
    expect(await stage.replay(partnerId, String(original?._id)).catch(errorCode)).toBe(
      "Webhook.TooManyReplays",
    );
    await deliveries.deleteOne({ queue });
    await stage.replay(partnerId, String(original?._id));
    await deliveries.deleteMany(waiting);
  });

  test("older than 30 days: Webhook.EventExpired, and the body is not shown any more", async () => {
    const { partnerId } = await stage.aServedPartner();
    const id = (await stage.list(partnerId)).items[0]?.id ?? "";
    stage.clock.move(31 * DAY_MS);
    expect(await stage.replay(partnerId, id).catch(errorCode)).toBe("Webhook.EventExpired");
    expect((await stage.detail(partnerId, id)).envelopeJson).toBeNull();
  });
});

describe("a test event", () => {
  test("arrives signed like any other, and is in the history", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    const { eventId } = await stage.call<{ eventId: string }>("delivery.sendTest", partnerId);
    await receiver.waitForRequests(1);
    const [request] = receiver.requests;
    expect(request?.headers).toMatchObject({ "svc-event-id": eventId, "svc-event-type": "webhook.test" });
    const envelope = JSON.parse(request?.body ?? "{}");
    expect(envelope).toMatchObject({ eventId, eventType: "webhook.test", eventVersion: 1, partnerId });
    expect(Object.keys(envelope.data)).toEqual(["message"]);
    await stage.untilTotal(partnerId, { eventType: "webhook.test", status: "Delivered" }, 1);
  });

  test("without a webhook: Webhook.EndpointNotFound", async () => {
    expect(await stage.call("delivery.sendTest", randomUUID()).catch(errorCode)).toBe(
      "Webhook.EndpointNotFound",
    );
  });
});

describe("the audit trail", () => {
  test("has who asked for a replay and of what, before it is made; without an entry nothing is sent", async () => {
    const { partnerId } = await stage.aServedPartner();
    const [original] = (await stage.list(partnerId)).items;
    const window = stage.aroundNow();
    await stage.audit().refusing(async () => {
      expect(await stage.replayWindow(partnerId, window).catch(errorCode)).toBe("Service.Error");
      expect(await stage.replay(partnerId, original?.id ?? "").catch(errorCode)).toBe("Service.Error");
    });
    expect((await stage.list(partnerId)).total).toBe(1);
    await stage.replay(partnerId, original?.id ?? "");
    await stage.untilTotal(partnerId, { status: "Delivered" }, 2);
    await stage.replayWindow(partnerId, { ...window, note: "not kept" });
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
