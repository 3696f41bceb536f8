import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { COLLECTIONS } from "../../../services/delivery/collections.ts";
import { createLateRouting, type RouteLateDeps } from "../../../services/delivery/intake/route-late.ts";
import { sendTest } from "../../../services/delivery/intake/send-test.ts";
import { peersOf } from "../../../services/delivery/peers.ts";
import { deliveryRepository } from "../../../services/delivery/records/delivery.repository.ts";
import { eventRepository } from "../../../services/delivery/records/event.repository.ts";
import { parseEvent } from "../../../services/delivery/records/event.rules.ts";
import type { OutboxEntry } from "../../../shared/contract/events.ts";
import { errorCode } from "../../../shared/errors.ts";
import { collectionOf } from "../../../shared/mongo/mongo.ts";
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

const IN_ONE_PARTITION = {
  locate: ({ endpointId }: { endpointId: string }) => ({ endpointId, partition: 0 }),
};
const events = () => collectionOf(stage.runtime().mongo.connection, COLLECTIONS.events);
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

/** On its own node the registry is called without the link, so delivery does not hear of the change while the link holds. */
async function registerUnheard(partnerId: string): Promise<void> {
  const body = { url: stage.receiver.url() };
  const caller = { kind: "user", userId: randomUUID(), email: "dev@example.com", role: "Owner", partnerId };
  await stage.registry.call(
    "webhook-registry.register",
    { params: {}, query: {}, body, headers: { ifMatch: null } },
    { meta: { requestId: randomUUID(), caller } },
  );
}

describe("the registry cannot be asked while an endpoint becomes live", () => {
  test.each(["disabled", "not registered"])(
    "%s before: events that arrive are sent, none is unrouted",
    async (before) => {
      const partnerId = randomUUID();
      if (before === "disabled") {
        // Heard of only once it is disabled: delivery must not remember it as live.
        link.set("hold");
        await registerUnheard(partnerId);
        const $set = { status: "Disabled", disabledAt: new Date() };
        await endpoints().updateOne({ partnerId }, { $set });
        link.set("pass");
      }
      await anUnroutedEvent(partnerId);

      link.set("hold");
      const waitingBefore = stage.logLines().filter(({ msg }) => msg === "consume.waiting").length;
      await registerUnheard(partnerId);
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

describe("the sweep of events that were wrongly unrouted", () => {
  const MINUTE_MS = 60_000;

  function aSweep(change: Partial<RouteLateDeps["events"]> = {}): () => Promise<boolean> {
    const runtime = stage.runtime();
    const { connection } = runtime.mongo;
    return createLateRouting({
      ...runtime,
      events: { ...eventRepository(connection), ...change },
      deliveries: deliveryRepository(connection),
      lookUp: peersOf(stage.broker()).endpointForDelivery,
      partitions: IN_ONE_PARTITION,
      onWaiting: () => undefined,
    });
  }
  async function sweepAll(sweep = aSweep()): Promise<void> {
    while (await sweep());
  }

  /** As an event that was recorded now, when nobody seemed to be there. */
  async function recordUnrouted(partnerId: string, count: number, thenMs = MINUTE_MS): Promise<string[]> {
    const records = someEvents(partnerId, count).map(({ body: text }) => {
      const parsed = parseEvent(text, null, new Date(stage.clock.now()));
      if ("malformed" in parsed) throw new Error(parsed.malformed);
      return { ...parsed.event, endpointId: null };
    });
    await eventRepository(stage.runtime().mongo.connection).record(records);
    stage.clock.move(thenMs);
    return records.map(({ _id }) => _id);
  }
  const disable = (partnerId: string) =>
    endpoints().updateOne(
      { partnerId },
      { $set: { status: "Disabled", disabledAt: new Date(stage.clock.now()) } },
    );
  const sentTo = async (partnerId: string) =>
    (await stage.list(partnerId, { pageSize: "200" })).items.map(({ eventId }) => eventId).sort();
  const routedLate = (partnerId: string) =>
    stage
      .logLines()
      .filter((line) => line.msg === "events.routed_late" && line.partnerId === partnerId)
      .reduce((sum, { events }) => sum + Number(events), 0);

  test("sends what was recorded while the endpoint was live, and leaves what was recorded before", async () => {
    const partnerId = randomUUID();
    await recordUnrouted(partnerId, 3);
    await stage.register(partnerId);
    const wrong = await recordUnrouted(partnerId, 4);
    await sweepAll();
    await untilDelivered(partnerId, 4);
    expect(await sentTo(partnerId)).toEqual(wrong.toSorted());
    expect(await unrouted(partnerId)).toBe(3);
    expect(routedLate(partnerId)).toBe(4);
  });

  test("leaves what was recorded while it was Disabled, now or before it was enabled", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    stage.clock.move(MINUTE_MS);
    await disable(partnerId);
    await recordUnrouted(partnerId, 3);
    await sweepAll();
    expect(await unrouted(partnerId)).toBe(3);

    await stage.call("webhook-registry.enable", partnerId);
    const wrong = await recordUnrouted(partnerId, 2);
    await sweepAll();
    await untilDelivered(partnerId, 2);
    expect(await sentTo(partnerId)).toEqual(wrong.toSorted());
    expect(await unrouted(partnerId)).toBe(3);
  });

  test("killed in the middle, then by two processes at once: one delivery each, counted once", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const wrong = await recordUnrouted(partnerId, 60);
    const killed = aSweep({ route: () => Promise.reject(new Error("killed")) });
    await expect(sweepAll(killed)).rejects.toThrow("killed");
    expect(await unrouted(partnerId)).toBe(60);
    await Promise.all([sweepAll(), sweepAll()]);
    await untilDelivered(partnerId, 60);
    expect(await sentTo(partnerId)).toEqual(wrong.toSorted());
    expect(await unrouted(partnerId)).toBe(0);
    expect(routedLate(partnerId)).toBe(60);
    const received = stage.receiver.requests.map(({ headers }) => headers["svc-event-id"]);
    expect(received.filter((id) => wrong.includes(String(id)))).toHaveLength(60);
  });

  test("leaves what was recorded this moment for a later round", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const [wrong] = await recordUnrouted(partnerId, 1);
    const [latest] = await recordUnrouted(partnerId, 1, 0);
    await sweepAll();
    await untilDelivered(partnerId, 1);
    expect(await sentTo(partnerId)).toEqual([wrong]);
    stage.clock.move(MINUTE_MS);
    await sweepAll();
    await untilDelivered(partnerId, 2);
    expect(await sentTo(partnerId)).toEqual([wrong, latest].toSorted());
  });

  test("a test event whose process died after it was recorded is sent", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    const { connection } = stage.runtime().mongo;
    const peers = peersOf(stage.broker());
    const dying = {
      ...stage.runtime(),
      directory: { find: peers.endpointForDelivery, forget: () => undefined },
      events: eventRepository(connection),
      deliveries: { insert: () => Promise.reject(new Error("killed")) },
      partitions: IN_ONE_PARTITION,
      onWaiting: () => undefined,
    };
    const asked = sendTest(dying, partnerId, {
      ...{ requestId: randomUUID(), traceparent: "", caller: null },
    });
    expect(errorCode(await asked.catch((error: unknown) => error))).toBe("Service.OutcomeUnknown");
    stage.clock.move(MINUTE_MS);
    await sweepAll();
    await untilDelivered(partnerId, 1);
  });

  test("the service does it by itself after its start", async () => {
    const partnerId = randomUUID();
    await stage.register(partnerId);
    await recordUnrouted(partnerId, 2);
    await stage.restartDelivery();
    await untilDelivered(partnerId, 2);
  });
});
