import { describe, expect, test } from "@jest/globals";
import { type Detail, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

/** In seconds; the first attempt at once, then seven waits. */
const WAITS = [0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35];

const stage = stageOfFile(() =>
  startDeliveryStage({
    PBO_DELIVERY_RETRY_SCHEDULE: WAITS.join(","),
    PBO_DELIVERY_POLL_MS: "20",
  }),
);

const onlyDelivery = async (partnerId: string): Promise<Detail> =>
  stage.detail(partnerId, (await stage.list(partnerId)).items[0]?.id ?? "");

describe("an endpoint that fails for good", () => {
  test("eight attempts on schedule with the same bytes, then Exhausted, then nothing more", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer({ status: 500, body: "no" });
    const entry = stage.anEvent(partnerId);
    await stage.publish([entry]);

    const seen = new Map<number, Detail>();
    const last = await waitFor(
      async () => {
        const detail = await onlyDelivery(partnerId);
        seen.set(detail.attemptCount, detail);
        return detail.status === "Exhausted" ? detail : null;
      },
      { what: "the delivery to be exhausted", everyMs: 10 },
    );

    expect(receiver.requests).toHaveLength(8);
    for (const [index, { headers, body }] of receiver.requests.entries())
      expect([body, headers["svc-attempt"], headers["svc-delivery-id"], headers["svc-event-id"]]).toEqual([
        ...[entry.body, String(index + 1), last.id, entry.eventId],
      ]);

    expect(last).toMatchObject({
      attemptCount: 8,
      nextAttemptAt: null,
      lastStatusCode: 500,
      envelopeJson: entry.body,
    });
    expect(last.completedAt).not.toBeNull();
    expect(last.attempts.map(({ attemptNo }) => attemptNo)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const attempt of last.attempts)
      expect(attempt).toMatchObject({ statusCode: 500, errorKind: "HttpStatus", responseExcerpt: "no" });
    for (const [index, { sentAt }] of last.attempts.slice(1).entries()) {
      const waited = Date.parse(sentAt) - Date.parse(last.attempts[index]?.sentAt ?? "");
      expect(waited).toBeGreaterThanOrEqual((WAITS[index + 1] ?? 0) * 1_000);
    }
    for (const [count, { attempts, nextAttemptAt, status }] of seen) {
      if (status !== "Pending" || count === 0) continue;
      const least = Date.parse(attempts.at(-1)?.sentAt ?? "") + (WAITS[count] ?? 0) * 1_000;
      expect(Date.parse(nextAttemptAt ?? "")).toBeGreaterThanOrEqual(least);
    }

    const before = receiver.requests.length;
    const quiet = stage.anEvent(partnerId);
    receiver.answer(200);
    await stage.publish([quiet]);
    await receiver.waitForRequests(before + 1);
    expect(receiver.requests.filter(({ headers }) => headers["svc-event-id"] === entry.eventId)).toHaveLength(
      8,
    );
  });
});

describe("an endpoint that recovers", () => {
  test("the attempt that succeeds is the last", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer(500, 503, 200);
    await stage.publish([stage.anEvent(partnerId)]);
    await stage.untilFirst(partnerId, "Delivered");
    const detail = await onlyDelivery(partnerId);
    expect(detail).toMatchObject({ attemptCount: 3, lastStatusCode: 200, nextAttemptAt: null });
    expect(detail.attempts.map(({ statusCode, errorKind }) => [statusCode, errorKind])).toEqual([
      [500, "HttpStatus"],
      [503, "HttpStatus"],
      [200, null],
    ]);
    expect(receiver.requests).toHaveLength(3);
  });
});

describe("messages that come early, late or again", () => {
  test("the same event published again and again: recorded and sent once", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    const entry = stage.anEvent(partnerId);
    const marker = stage.anEvent(partnerId);
    for (let copy = 0; copy < 5; copy += 1) await stage.publish([entry], () => `${entry.eventId}-${copy}`);
    await stage.publish([marker]);
    await waitFor(() => receiver.requests.some(({ headers }) => headers["svc-event-id"] === marker.eventId), {
      what: "the event after it",
    });
    await stage.untilTotal(partnerId, { status: "Delivered" }, 2);
    expect(receiver.requests).toHaveLength(2);
  });

  test("copies of an attempt that was handed over: one request", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    await stage.publish([stage.anEvent(partnerId)]);
    const delivered = await stage.untilFirst(partnerId, "Delivered");
    const { id: deliveryId, eventId, eventType, replaySeries, occurredAt } = delivered;
    const { endpointId } = await stage.endpoint(partnerId);
    const attempt = { deliveryId, partnerId, endpointId, eventId, eventType, eventVersion: 1, replaySeries };
    for (let copy = 0; copy < 3; copy += 1)
      expect(await stage.handOver({ ...attempt, body: "{}", traceparent: null, occurredAt })).toEqual({
        refused: [],
      });
    await stage.publish([stage.anEvent(partnerId)]);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 2);
    expect(receiver.requests.filter(({ headers }) => headers["svc-event-id"] === eventId)).toHaveLength(1);
    expect(await stage.detail(partnerId, delivered.id)).toMatchObject({
      attemptCount: 1,
      status: "Delivered",
    });
  });
});
