import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(startDeliveryStage);

describe("an event of a partner with a webhook", () => {
  test("reaches the receiver signed, with the same bytes, and is shown as delivered", async () => {
    const partnerId = randomUUID();
    const secret = await stage.register(partnerId, stage.receiver.url("/first"));
    const entry = stage.anEvent(partnerId);
    await stage.publish([entry]);
    const received = await waitFor(() => stage.receiver.requests.find(({ path }) => path === "/first"), {
      what: "the webhook",
    });
    expect(received.body).toBe(entry.body);
    const { headers } = received;
    expect(new Webhook(secret).verify(received.body, headers)).toMatchObject({ eventId: entry.eventId });

    const { items } = await waitFor(async () => {
      const page = await stage.list(partnerId);
      return page.items[0]?.status === "Delivered" ? page : null;
    }, "the delivery in the history");
    expect(items).toHaveLength(1);
    const [item] = items;
    expect(item).toMatchObject({
      eventId: entry.eventId,
      eventType: "business.profile.created",
      attemptCount: 1,
      lastStatusCode: 200,
      nextAttemptAt: null,
      isReplay: false,
      replaySeries: null,
    });
    const detail = await stage.detail(partnerId, item?.id ?? "");
    expect(detail.envelopeJson).toBe(entry.body);
    expect(headers).toMatchObject({ "svc-delivery-id": item?.id, "svc-attempt": "1" });
    await waitFor(() => stage.confirmed.has(entry.eventId), "the confirmation");
    const line = stage
      .logLines()
      .find(({ msg, eventId }) => msg === "attempt.finished" && eventId === entry.eventId);
    expect(line).toMatchObject({
      traceId: entry.traceparent?.split("-")[1],
      attempt: 1,
      status: "Delivered",
    });
  });
});
