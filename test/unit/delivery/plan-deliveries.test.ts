import { expect, test } from "@jest/globals";
import { type PlanDeps, planDeliveries } from "../../../services/delivery/intake/plan-deliveries.ts";
import type { NewEvent } from "../../../services/delivery/records/event.rules.ts";
import type { DeliveryEndpoint } from "../../../shared/action-types/webhook-registry.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const LIVE = { endpointId: "e", partnerId: "p", status: "Active" } as DeliveryEndpoint;
const EVENTS = ["1", "2"].map((_id) => ({ _id, partnerId: "p", occurredAt: new Date(NOW) })) as NewEvent[];

type Wish = { plannedBefore?: number; room?: number; leaseMs?: number | null };

/** Plans two events. */
async function plan({ plannedBefore = 0, room = 10, leaseMs = 60_000 }: Wish = {}) {
  const given: string[] = [];
  const givenBack: string[] = [];
  const claimable: (number | undefined)[] = [];
  let wakes = 0;
  const deps: PlanDeps = {
    events: { record: async () => new Map(), routes: async () => new Map() },
    deliveries: {
      async insert(all) {
        claimable.push(...all.map(({ claimableAt }) => (claimableAt?.getTime() ?? 0) - NOW));
        return new Map(all.slice(0, plannedBefore).map(({ _id }, index) => [index, _id]));
      },
    },
    directory: { find: async () => LIVE },
    pauses: { until: () => null },
    queues: { room: () => room },
    partitions: { placeOf: ({ endpointId }) => ({ endpointId, partition: 0 }) },
    handOver: {
      leaseMs: () => leaseMs,
      give: (planned) =>
        void given.push(...planned.map(({ delivery, content }) => `${delivery.eventId} ${content._id}`)),
      giveBack: (planned) => void givenBack.push(...planned.map(({ delivery }) => delivery.eventId)),
    },
    onWaiting: () => {
      wakes += 1;
    },
    clock: { now: () => NOW },
    config: { retrySchedule: [0, 60] },
  };
  await planDeliveries(deps, EVENTS);
  return { given, givenBack, claimable, wakes };
}

test("new deliveries are handed over with their content; the due loop leaves them alone for so long", async () => {
  expect(await plan()).toMatchObject({ given: ["1 1", "2 2"], givenBack: [], claimable: [60_000, 60_000] });
  expect((await plan({ leaseMs: 5_000 })).claimable).toEqual([5_000, 5_000]);
});

test("what was planned before may have been sent meanwhile: made due, its record and whoever has it decide", async () => {
  expect(await plan({ plannedBefore: 1 })).toMatchObject({ given: ["2 2"], givenBack: ["1"] });
});

test("what the endpoint has no room for waits in the database, due at once", async () => {
  expect(await plan({ room: 1 })).toMatchObject({ given: ["1 1"], claimable: [60_000, 0], wakes: 1 });
});

test("while nobody looks after the endpoint everything waits in the database", async () => {
  expect(await plan({ leaseMs: null })).toMatchObject({ given: [], claimable: [0, 0], wakes: 1 });
});
