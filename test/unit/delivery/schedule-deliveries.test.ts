import { expect, test } from "@jest/globals";
import {
  type ScheduleDeps,
  scheduleDeliveries,
} from "../../../services/delivery/intake/schedule-deliveries.ts";
import type { DeliveryRecord } from "../../../services/delivery/records/delivery.model.ts";
import type { NewEvent } from "../../../services/delivery/records/event.rules.ts";
import type { DeliveryEndpoint } from "../../../shared/contract/actions/webhook-registry.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const LIVE = { endpointId: "e", partnerId: "p", status: "Active" } as DeliveryEndpoint;
const EVENTS = ["1", "2"].map((_id) => ({ _id, partnerId: "p", occurredAt: new Date(NOW) })) as NewEvent[];

type Wish = {
  scheduledBefore?: number;
  room?: number;
  leaseMs?: number | null;
  events?: NewEvent[];
  /** Endpoints of the events that were recorded before. */
  routes?: Record<string, string | null>;
  endpoint?: DeliveryEndpoint | null;
  pausedUntil?: number | null;
  retrySchedule?: number[];
};

/** Schedules two events. */
async function schedule({ scheduledBefore = 0, room = 10, leaseMs = 60_000, ...wish }: Wish = {}) {
  const { events = EVENTS, routes = {}, endpoint = LIVE, pausedUntil = null } = wish;
  const asked: string[][] = [];
  const to: string[] = [];
  const given: string[] = [];
  const givenBack: string[] = [];
  const claimable: (number | undefined)[] = [];
  let wakes = 0;
  const deps = {
    runtime: { clock: { now: () => NOW }, config: { retrySchedule: wish.retrySchedule ?? [0, 60] } },
    record: async (all: NewEvent[]) => ({
      events: [...all],
      known: new Map(all.flatMap(({ _id }, index) => (_id in routes ? [[index, _id] as const] : []))),
    }),
    events: {
      async routes(known: NewEvent[]) {
        asked.push(known.map(({ _id }) => _id));
        return new Map(Object.entries(routes));
      },
    },
    deliveries: {
      async insert(all: DeliveryRecord[]) {
        to.push(...all.map(({ endpointId }) => endpointId));
        claimable.push(...all.map(({ claimableAt }) => (claimableAt?.getTime() ?? 0) - NOW));
        return new Map(all.slice(0, scheduledBefore).map(({ _id }, index) => [index, _id]));
      },
    },
    endpoints: {
      directory: { find: async () => endpoint },
      pauses: { until: () => pausedUntil },
      queues: { room: (_: string, priority: string) => (priority === "attempt" ? room : 0) },
      partitions: { locate: ({ endpointId }: { endpointId: string }) => ({ endpointId, partition: 0 }) },
    },
    handOver: {
      leaseMs: () => leaseMs,
      give: (scheduled) =>
        void given.push(...scheduled.map(({ delivery, content }) => `${delivery.eventId} ${content._id}`)),
      giveBack: (scheduled) => void givenBack.push(...scheduled.map(({ delivery }) => delivery.eventId)),
    } satisfies ScheduleDeps["handOver"],
    onWaiting: () => {
      wakes += 1;
    },
  };
  const { recorded } = await scheduleDeliveries(deps as unknown as ScheduleDeps, events);
  return { given, givenBack, claimable, wakes, recorded, asked, to };
}

test("new deliveries are handed over with their content; the due loop leaves them alone for so long", async () => {
  expect(await schedule()).toMatchObject({
    given: ["1 1", "2 2"],
    givenBack: [],
    claimable: [60_000, 60_000],
  });
  expect((await schedule({ leaseMs: 5_000 })).claimable).toEqual([5_000, 5_000]);
});

test("deliveries scheduled before may have been sent: they are made due, and their record decides", async () => {
  expect(await schedule({ scheduledBefore: 1 })).toMatchObject({ given: ["2 2"], givenBack: ["1"] });
});

test("deliveries beyond the endpoint's room wait in the database, due immediately", async () => {
  expect(await schedule({ room: 1 })).toMatchObject({ given: ["1 1"], claimable: [60_000, 0], wakes: 1 });
});

test("without an owner of the endpoint everything waits in the database", async () => {
  expect(await schedule({ leaseMs: null })).toMatchObject({ given: [], claimable: [0, 0], wakes: 1 });
});

test("an event recorded before goes to its first endpoint", async () => {
  expect(await schedule({ routes: { 1: "first" } })).toMatchObject({
    recorded: 1,
    asked: [["1"]],
    to: ["first", "e"],
  });
  expect(await schedule({ routes: { 1: null } })).toMatchObject({ given: ["2 2"], to: ["e"] });
});

test.each([
  ["has no endpoint", null],
  ["has a disabled endpoint", { ...LIVE, status: "Disabled" } as const],
])("a partner that %s: its events are recorded, and not delivered", async (_, endpoint) => {
  expect(await schedule({ endpoint })).toMatchObject({ recorded: 2, given: [], to: [], wakes: 0 });
});

test.each([
  ["the endpoint asked for a pause", { pausedUntil: NOW + 5_000 }, 5_000],
  ["the first attempt is to wait", { retrySchedule: [30, 60] }, 30_000],
])("%s: they wait in the database until then", async (_, wish, claimableInMs) => {
  expect(await schedule(wish)).toMatchObject({
    given: [],
    claimable: [claimableInMs, claimableInMs],
    wakes: 1,
  });
});
