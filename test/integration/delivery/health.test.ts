import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import type { EndpointView } from "../../../shared/contract/answers/endpoint.ts";
import { repetitions } from "../../support/repetitions.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

/** The true waits: a retry that comes within the test was pulled forward. */
const stage = stageOfFile(startDeliveryStage);

type Endpoint = EndpointView;

const endpointOf = (partnerId: string) => stage.call<Endpoint>("webhook-registry.get", partnerId);

const untilStatus = (partnerId: string, status: string) =>
  waitFor(async () => (await endpointOf(partnerId)).status === status, `the endpoint to be ${status}`);

describe("an endpoint that fails and recovers", () => {
  test("Active, Degraded after five failures, Active with the first success, its waiting retries sent at once", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer(500);
    const failed = Array.from({ length: 5 }, () => stage.anEvent(partnerId));
    await stage.publish(failed);
    await untilStatus(partnerId, "Degraded");
    const { items } = await stage.list(partnerId, { status: "Pending" });
    expect(items).toHaveLength(5);
    for (const { nextAttemptAt } of items)
      expect(Date.parse(nextAttemptAt ?? "")).toBeGreaterThan(Date.now() + 10_000);

    receiver.answer(200);
    await stage.publish([stage.anEvent(partnerId)]);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 6);
    expect(await endpointOf(partnerId)).toMatchObject({ status: "Active", consecutiveFailures: 0 });
    const again = receiver.requests
      .slice(6)
      .map(({ headers }) => [headers["svc-event-id"], headers["svc-attempt"]]);
    expect(new Map(again as [string, string][])).toEqual(
      new Map(failed.map(({ eventId }) => [eventId, "2"])),
    );
  });

  test("an endpoint that fails again immediately costs at most one step of its waiting retries", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer(500);
    await stage.publish(Array.from({ length: 150 }, () => stage.anEvent(partnerId)));
    await waitFor(() => receiver.requests.length >= 150, "150 attempts");
    await untilStatus(partnerId, "Degraded");
    receiver.answer(200, 500);
    await stage.publish([stage.anEvent(partnerId)]);
    await waitFor(() => receiver.requests.length > 151, "the first retries");
    await untilStatus(partnerId, "Degraded");
    const marker = stage.anEvent(partnerId);
    await stage.publish([marker]);
    await waitFor(() => receiver.requests.some(({ headers }) => headers["svc-event-id"] === marker.eventId), {
      what: "a later event",
    });
    const second = receiver.requests.filter(({ headers }) => headers["svc-attempt"] === "2");
    expect(second.length).toBeLessThanOrEqual(50);
  });
});

describe("an endpoint that is gone", () => {
  test("disabled after two 410: pending deliveries Exhausted, new events unrouted; enabled, they can be replayed", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer(500);
    await stage.publish([stage.anEvent(partnerId), stage.anEvent(partnerId)]);
    await receiver.waitForRequests(2);
    await stage.untilTotal(partnerId, { status: "Pending" }, 2);
    receiver.answer(410);
    await stage.publish([stage.anEvent(partnerId)]);
    await receiver.waitForRequests(3);
    await waitFor(async () => (await endpointOf(partnerId)).consecutiveFailures === 3, "the report");
    await stage.publish([stage.anEvent(partnerId)]);
    await untilStatus(partnerId, "Disabled");
    expect(await endpointOf(partnerId)).toMatchObject({ disabledReason: "EndpointGone" });

    await stage.untilTotal(partnerId, { status: "Exhausted" }, 4);
    const { items } = await stage.list(partnerId);
    for (const { id } of items) {
      const detail = await stage.detail(partnerId, id);
      expect(detail.attempts.at(-1)).toMatchObject({ errorKind: "EndpointDisabled", statusCode: null });
      expect(detail.attemptCount).toBe(detail.attempts.length - 1);
      expect(detail).toMatchObject({ nextAttemptAt: null, completedAt: expect.any(String) });
    }

    const missed = [stage.anEvent(partnerId), stage.anEvent(partnerId), stage.anEvent(partnerId)];
    await stage.publish(missed);
    await waitFor(() => missed.every(({ eventId }) => stage.confirmed.has(eventId)), "the events");
    expect((await stage.list(partnerId)).total).toBe(4);
    expect(receiver.requests).toHaveLength(4);

    receiver.answer(200);
    const enabled = await stage.call<{
      status: string;
      skipped: number;
      suggestedReplay: { from: string; to: string };
    }>("webhook-registry.enable", partnerId);
    expect(enabled).toMatchObject({ status: "Active", skipped: 7 });
    const body = { ...enabled.suggestedReplay, includeUnrouted: true };
    const { created } = await stage.replayWindow(partnerId, body);
    expect(created).toBe(7);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 7);
    expect(receiver.requests.slice(4).every(({ headers }) => headers["svc-replay"] === "true")).toBe(true);
  });
});

describe("an endpoint disabled without a report of ours", () => {
  test("its pending deliveries are found and given up", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer(500);
    await stage.publish([stage.anEvent(partnerId)]);
    const { connection } = stage.runtime().mongo;
    const registry = connection.useDb(`${stage.namespace}_webhook_registry`).collection("webhook_endpoints");
    // The report of the first attempt, when it came later, would write over what is done by hand here.
    await waitFor(async () => (await registry.findOne({ partnerId }))?.consecutiveFailures === 1, {
      what: "the first attempt and its report",
    });
    await registry.updateOne({ partnerId }, { $set: { status: "Disabled", disabledAt: new Date() } });
    stage.clock.move(31_000);
    await stage.untilTotal(partnerId, { status: "Exhausted" }, 1);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("times of an endpoint", () => {
  test("its last success and failure, what waits, and a pause that it asked for", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    const activityOf = async () => (await endpointOf(partnerId)).activity;
    // Left out of an answer that delivery is late for.
    expect(await waitFor(activityOf, "what delivery knows")).toEqual({
      lastSuccessAt: null,
      lastFailureAt: null,
      pausedUntil: null,
      waiting: 0,
    });
    await stage.publish([stage.anEvent(partnerId)]);
    await waitFor(async () => (await activityOf())?.lastSuccessAt != null, "the success to be known");
    receiver.answer({ status: 503, headers: { "Retry-After": "600" } });
    await stage.publish([stage.anEvent(partnerId)]);
    await waitFor(async () => (await activityOf())?.lastFailureAt != null, "the failure to be known");
    const activity = await activityOf();
    expect(activity).toMatchObject({ waiting: 1, lastSuccessAt: expect.stringMatching(/Z$/) });
    expect(Date.parse(activity?.pausedUntil ?? "")).toBeGreaterThan(stage.clock.now() + 300_000);
  });

  test("disabled by a person: what waited is Exhausted, and a later event is recorded unrouted", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer(500);
    await stage.publish([stage.anEvent(partnerId)]);
    await stage.untilTotal(partnerId, { status: "Pending" }, 1);
    await waitFor(() => receiver.requests.length === 1, "the first attempt");
    const disabledAt = performance.now();
    await stage.call("webhook-registry.disable", partnerId);
    await stage.untilTotal(partnerId, { status: "Exhausted" }, 1);
    // The regular check of every endpoint comes after 30 s; 5 s are promised, and by day this machine may be busy.
    expect(performance.now() - disabledAt).toBeLessThan(repetitions({ short: 20_000, nightly: 5_000 }));
    expect(receiver.requests).toHaveLength(1);
  });

  test("the last failure goes with a success, and deliveries are found by either", async () => {
    const receiver = await stage.aReceiver();
    const own = randomUUID();
    await stage.register(own, receiver.url());
    receiver.answer(500, 200);
    const event = stage.anEvent(own);
    await stage.publish([event]);
    const only = async (query: Record<string, string>) => (await stage.list(own, query)).items[0];
    await waitFor(async () => (await only({ responseClass: "5xx" }))?.lastErrorKind === "HttpStatus", {
      what: "the failure to be found",
    });
    const { customerId } = JSON.parse(event.body).correlation;
    expect(await only({ customerId })).toMatchObject({ customerId, eventId: event.eventId });
    stage.clock.move(120_000);
    await waitFor(async () => (await only({ customerId }))?.status === "Delivered", "the retry");
    expect(await only({ errorKind: "HttpStatus" })).toBeUndefined();
    expect(await only({ responseClass: "2xx" })).toMatchObject({ lastErrorKind: null, lastStatusCode: 200 });
  });
});
