import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { eventModel } from "../../../services/delivery/records/event.model.ts";
import type { OutboxEntry } from "../../../shared/events/events.ts";
import { type Link, startLink } from "../../support/servers/link.ts";
import { testServers } from "../../support/servers/servers.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let link: Link;
let stage: DeliveryStage;
beforeAll(async () => {
  link = await startLink(testServers().natsUrl);
  stage = await startDeliveryStage({}, { PBO_NATS_URL: link.url });
});
afterAll(async () => {
  link.set("pass");
  await stage.stop();
  await link.close();
});

const events = () => eventModel(stage.runtime().mongo.connection).collection;
const endpoints = () =>
  stage
    .runtime()
    .mongo.connection.useDb(`${stage.namespace}_webhook_registry`)
    .collection("webhook_endpoints");
const unrouted = (partnerId: string) => events().countDocuments({ partnerId, endpointId: null });
const someEvents = (partnerId: string, count: number): OutboxEntry[] =>
  Array.from({ length: count }, () => stage.anEvent(partnerId));
const untilDelivered = (partnerId: string, total: number) =>
  waitFor(async () => (await stage.list(partnerId, { status: "Delivered" })).total === total, {
    what: `${total} delivered`,
  });

/** Recorded as unrouted, so that delivery knows that there is no live endpoint. */
async function anUnroutedEvent(partnerId: string): Promise<void> {
  await stage.publish(someEvents(partnerId, 1));
  await waitFor(async () => (await unrouted(partnerId)) === 1, { what: "the unrouted event" });
}

describe("the registry cannot be asked while an endpoint becomes live", () => {
  test.each(["disabled", "not registered"])(
    "%s before: events that arrive are sent, none is unrouted",
    async (before) => {
      const partnerId = randomUUID();
      if (before === "disabled") {
        await stage.register(partnerId);
        const $set = { status: "Disabled", disabledAt: new Date() };
        await endpoints().updateOne({ partnerId }, { $set });
      }
      await anUnroutedEvent(partnerId);

      link.set("hold");
      const waitingBefore = stage.logLines().filter(({ msg }) => msg === "consume.waiting").length;
      // On its own node the registry is called without the link.
      const params = {
        params: {},
        query: {},
        body: { url: stage.receiver.url() },
        headers: { ifMatch: null },
      };
      const caller = {
        kind: "user",
        userId: randomUUID(),
        email: "dev@example.com",
        role: "Owner",
        partnerId,
      };
      await stage.registry.call("webhook-registry.register", params, {
        meta: { requestId: randomUUID(), caller },
      });
      await stage.publish(someEvents(partnerId, 50));
      await waitFor(
        async () =>
          stage.logLines().filter(({ msg }) => msg === "consume.waiting").length > waitingBefore ||
          (await events().countDocuments({ partnerId })) > 1,
        { what: "delivery to have tried" },
      );
      link.set("pass");
      await untilDelivered(partnerId, 50);
      expect(await unrouted(partnerId)).toBe(1);
    },
  );
});
