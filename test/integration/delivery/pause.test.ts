import { randomUUID } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { testServers } from "../../support/servers/servers.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { watchScans } from "../../support/stage/scans.ts";
import { ofFile, stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = stageOfFile(startDeliveryStage);
const scans = ofFile(
  () => watchScans(testServers().mongodbUri, stage.namespace),
  ({ close }) => close(),
);

const PAUSE_SECONDS = 120;

describe("an endpoint that answers Retry-After", () => {
  test("is left alone by every worker, also after a restart, until the pause is over", async () => {
    const { partnerId, receiver } = await stage.aPartner();
    receiver.answer({ status: 429, headers: { "Retry-After": String(PAUSE_SECONDS) } });
    await stage.publish([stage.anEvent(partnerId)]);
    const first = await waitFor(
      async () => (await stage.list(partnerId)).items.find(({ attemptCount }) => attemptCount === 1),
      { what: "the first attempt" },
    );
    const pausedFor = Date.parse(first.nextAttemptAt ?? "") - stage.clock.now();
    expect(pausedFor).toBeGreaterThan((PAUSE_SECONDS - 15) * 1_000);
    expect(pausedFor).toBeLessThanOrEqual(PAUSE_SECONDS * 1_000);

    const other = await stage.startDelivery();
    await stage.restartDelivery();
    receiver.answer(200);
    const later = Array.from({ length: 6 }, () => stage.anEvent(partnerId));
    await stage.publish(later);
    await waitFor(() => later.every(({ eventId }) => stage.confirmed.has(eventId)), "the events");
    await waitFor(async () => {
      const { items } = await stage.list(partnerId, { status: "Pending" });
      const isPutOff = (at: string | null) => Date.parse(at ?? "") > stage.clock.now() + 60_000;
      return items.length === 7 && items.every(({ nextAttemptAt }) => isPutOff(nextAttemptAt));
    }, "all of them to wait for the end of the pause");
    expect(receiver.requests).toHaveLength(1);

    stage.clock.move((PAUSE_SECONDS + 5) * 1_000);
    await stage.untilTotal(partnerId, { status: "Delivered" }, 7);
    expect(receiver.requests).toHaveLength(8);
    expect(await scans.seen()).toEqual([]);
    await stage.stopDelivery(other);
  });

  test("an endpoint of another partner is not paused", async () => {
    const [paused, healthy] = [await stage.aReceiver(), await stage.aReceiver()];
    const [first, second] = [randomUUID(), randomUUID()];
    await stage.register(first, paused.url());
    await stage.register(second, healthy.url());
    paused.answer({ status: 429, headers: { "Retry-After": "60" } });
    await stage.publish([stage.anEvent(first)]);
    await paused.waitForRequests(1);
    await stage.publish([stage.anEvent(first), stage.anEvent(second)]);
    await healthy.waitForRequests(1);
    expect(healthy.requests).toHaveLength(1);
  });
});
