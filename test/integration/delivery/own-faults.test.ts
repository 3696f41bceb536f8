/** Faults of ours cost the partner nothing: no attempt is counted, nothing is lost. */
import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import type { Receiver } from "../../support/servers/receiver.ts";
import { startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { stageOfFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

let receiver: Receiver;
let partnerId: string;
const stage = stageOfFile(() =>
  startDeliveryStage({ PBO_WEBHOOK_TIMEOUT_MS: "2000", PBO_DELIVERY_LEASE_MS: "2000" }),
);
beforeEach(async () => {
  receiver = await stage.aReceiver();
  partnerId = randomUUID();
  await stage.register(partnerId, receiver.url());
});

const delivered = (total = 1) =>
  waitFor(async () => {
    const page = await stage.list(partnerId, { status: "Delivered", pageSize: "200" });
    return page.total === total && page.items;
  }, `${total} deliveries`);

describe("the registry is away", () => {
  test("events of a partner it must be asked about wait, and are delivered when it is back", async () => {
    await stage.restartDelivery();
    await stage.stopRegistry();
    const entry = stage.anEvent(partnerId);
    await stage.publish([entry]);
    await waitFor(() => stage.logLines().some(({ msg }) => msg === "consume.waiting"), "it to wait");
    expect((await stage.list(partnerId)).total).toBe(0);
    await stage.startRegistry();
    expect(await delivered()).toMatchObject([{ eventId: entry.eventId, attemptCount: 1 }]);
    expect(receiver.requests).toHaveLength(1);
  });

  test("a cached endpoint serves while the registry is away, and its health is reported afterwards", async () => {
    await stage.publish([stage.anEvent(partnerId)]);
    await delivered();
    await stage.stopRegistry();
    receiver.answer(500, 200);
    await stage.publish([stage.anEvent(partnerId)]);
    await receiver.waitForRequests(2);
    await stage.startRegistry();
    await waitFor(
      async () =>
        (await stage.call<{ consecutiveFailures: number }>("webhook-registry.get", partnerId))
          .consecutiveFailures === 1,
      { what: "the report" },
    );
  });
});

describe("the process stops", () => {
  test("an attempt under way is finished and recorded", async () => {
    let answer: () => void = () => undefined;
    receiver.answer((_request, response) => {
      answer = () => void response.writeHead(200).end("late");
    });
    await stage.publish([stage.anEvent(partnerId)]);
    await receiver.waitForRequests(1);
    const stopping = stage.restartDelivery();
    answer();
    await stopping;
    const [item] = await delivered();
    expect(item).toMatchObject({ attemptCount: 1, lastStatusCode: 200 });
    expect(receiver.requests).toHaveLength(1);
  });

  test("attempts in flight return unspent and are delivered by the next process", async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    receiver.answer((_request, response) => void released.then(() => response.writeHead(200).end()));
    await stage.publish(Array.from({ length: 60 }, () => stage.anEvent(partnerId)));
    await receiver.waitForRequests(16);
    const stopping = stage.stopDelivery();
    release();
    await stopping;
    await stage.restartDelivery();
    const items = await delivered(60);
    expect(new Set(items.map(({ attemptCount }) => attemptCount))).toEqual(new Set([1]));
    const ids = receiver.requests.map(({ headers }) => headers["svc-event-id"]);
    expect(new Set(ids).size).toBe(60);
    expect(ids).toHaveLength(60);
  });
});
