import { expect, test } from "@jest/globals";
import { type PlanDeps, planDeliveries } from "../../../services/delivery/intake/plan-deliveries.ts";
import type { NewEvent } from "../../../services/delivery/records/event.rules.ts";
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const LIVE = { endpointId: "e", partnerId: "p", status: "Active" } as DeliveryEndpoint;
const EVENTS = ["1", "2"].map((_id) => ({ _id, partnerId: "p", occurredAt: new Date(NOW) })) as NewEvent[];

/** Plans two events, of which so many deliveries were planned before, perhaps by another process. */
async function plan(plannedBefore: number) {
  const published: string[] = [];
  const remembered: string[] = [];
  const deps: PlanDeps = {
    events: { record: async () => new Map(), routes: async () => new Map() },
    deliveries: {
      insert: async (all) => new Map(all.slice(0, plannedBefore).map(({ _id }, index) => [index, _id])),
    },
    directory: { find: async () => LIVE },
    pauses: { until: () => null },
    queues: { room: () => 10 },
    publish: async (due) => void published.push(...due.map(({ eventId }) => eventId)),
    recent: { remember: ({ eventId }) => void remembered.push(eventId) },
    onWaiting: () => undefined,
    clock: { now: () => NOW },
    config: { retrySchedule: [0, 60], deliveryLeaseMs: 60_000 },
  };
  await planDeliveries(deps, EVENTS);
  return { remembered, published };
}

test("new deliveries are remembered, so that their first message needs no read", async () => {
  expect(await plan(0)).toEqual({ remembered: ["1", "2"], published: ["1", "2"] });
});

test("what was planned before may have been sent meanwhile: it is published again, but its record decides", async () => {
  expect(await plan(1)).toEqual({ remembered: [], published: ["1", "2"] });
});
