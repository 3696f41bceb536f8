import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { DueDeps } from "../../../services/delivery/due/due-deps.ts";
import { createDisabledEndpoints } from "../../../services/delivery/due/exhaust-disabled.ts";
import { takeDue } from "../../../services/delivery/due/take-due.ts";
import type { OpenDelivery } from "../../../services/delivery/records/delivery.repository.ts";
import { bothQueues, parseQueue, queueName } from "../../../services/delivery/records/queue-name.rules.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const locate = (endpointId: string) => ({ endpointId, partition: 3 });
const queueOf = (endpointId: string) => queueName(locate(endpointId), "attempt");
const headOf = (endpointId: string, atMs = NOW) => ({
  queue: queueOf(endpointId),
  claimableAt: new Date(atMs),
});
const placed = (_id: string) => ({ _id, partnerId: "p" });
const info = jest.fn();
const logger = { info };

describe("takeDue", () => {
  let room: Map<string, number>;
  let pausedUntil: Map<string, number>;
  let claimedByOthers: Set<string>;
  let read: string[];
  const announced = jest.fn<(endpointId: string, count: number) => void>();
  const putOff = jest.fn<DueDeps["deliveries"]["putOffDue"]>(async () => undefined);
  const run = jest.fn<DueDeps["run"]>(async () => undefined);
  const claim = jest.fn<DueDeps["deliveries"]["claim"]>(async (places) =>
    places
      .filter(({ _id }) => !claimedByOthers.has(_id))
      .map(({ _id }) => ({ _id, endpointId: String(_id.split("/")[0]) }) as OpenDelivery),
  );
  const take = (...heads: ReturnType<typeof headOf>[]) =>
    takeDue(
      {
        runtime: { clock: { now: () => NOW }, config: { deliveryLeaseMs: 60_000 } },
        deliveries: {
          due: async (queue: string, atMs: number, limit: number) => {
            expect(atMs).toBe(NOW);
            // None means all of them to the database.
            expect(limit).toBeGreaterThan(0);
            read.push(parseQueue(queue).endpointId);
            const { endpointId } = parseQueue(queue);
            return Array.from({ length: limit }, (_, index) => placed(`${endpointId}/${index}`));
          },
          claim,
          putOffDue: putOff,
        },
        endpoints: {
          pauses: { until: (endpointId: string) => pausedUntil.get(endpointId) ?? null },
          queues: { room: (endpointId: string) => room.get(endpointId) ?? 0, announce: announced },
        },
        run,
      } as unknown as DueDeps,
      heads,
    );
  const idsOf = () => run.mock.calls.flatMap(([due]) => due.map(({ delivery }) => delivery._id)).sort();

  beforeEach(() => {
    for (const mock of [announced, putOff, run, claim]) mock.mockClear();
    room = new Map([
      ["a", 2],
      ["b", 1],
      ["large", 300],
    ]);
    pausedUntil = new Map();
    claimedByOthers = new Set();
    read = [];
  });

  test("each due queue yields what its endpoint can take, under a lease", async () => {
    expect(
      await take(headOf("a"), headOf("b", NOW - 1), headOf("full"), headOf("a later one", NOW + 1)),
    ).toBe(3);
    expect(idsOf()).toEqual(["a/0", "a/1", "b/0"]);
    expect(announced.mock.calls.toSorted()).toEqual([
      ["a", 2],
      ["b", 1],
    ]);
    expect(claim.mock.calls).toEqual([
      [expect.arrayContaining(["a/0", "a/1", "b/0"].map(placed)), expect.any(String), NOW, NOW + 60_000],
    ]);
  });

  test("nothing is due: nobody is asked", async () => {
    expect(await take(headOf("a", NOW + 1), headOf("full"))).toBe(0);
    expect([claim.mock.calls, run.mock.calls]).toEqual([[], []]);
  });

  test("a delivery that another process claimed first stays with it", async () => {
    claimedByOthers.add("a/0");
    expect(await take(headOf("a"))).toBe(1);
    expect([idsOf(), announced.mock.calls]).toEqual([["a/1"], [["a", 1]]]);
  });

  test("deliveries of a paused endpoint are postponed to the end of the pause, before the round ends", async () => {
    let isDone = false;
    putOff.mockImplementationOnce(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      isDone = true;
    });
    pausedUntil.set("a", NOW + 5_000);
    expect(await take(headOf("a"), headOf("b"))).toBe(1);
    expect([isDone, putOff.mock.calls]).toEqual([true, [[queueOf("a"), NOW, NOW + 5_000]]]);
    expect(idsOf()).toEqual(["b/0"]);
  });

  test("the queues in random order, so that none is always last", async () => {
    const ranks = [0.3, 0.1, 0.2];
    const random = jest.spyOn(Math, "random").mockImplementation(() => ranks.shift() ?? 0);
    for (const endpoint of ["x", "y", "z"]) room.set(endpoint, 1);
    await take(headOf("x"), headOf("y"), headOf("z"));
    random.mockRestore();
    expect(read).toEqual(["x", "z", "y"]);
  });

  test("at most 256 deliveries of a queue are taken, and few more than a thousand of a round", async () => {
    expect(await take(headOf("large"))).toBe(256);
    for (let index = 0; index < 20; index += 1) room.set(`e${index}`, 256);
    const taken = await take(...Array.from({ length: 20 }, (_, index) => headOf(`e${index}`)));
    expect(taken).toBeGreaterThanOrEqual(1_000);
    expect(taken).toBeLessThan(20 * 256);
  });
});

describe("a disabled endpoint", () => {
  let now: number;
  let waiting: Map<string, number>;
  let live: Set<string>;
  const asked = jest.fn<(partnerId: string) => void>();
  const given =
    jest.fn<(queues: readonly string[], atMs: number, limit: number, but: readonly string[]) => void>();
  const create = () =>
    createDisabledEndpoints({
      runtime: { clock: { now: () => now }, logger },
      deliveries: {
        async exhaust(queues: string[], atMs: number, limit: number, but: string[]) {
          await new Promise((resolve) => setImmediate(resolve));
          given(queues, atMs, limit, but);
          const { endpointId } = parseQueue(String(queues[0]));
          const count = Math.min(limit, waiting.get(endpointId) ?? 0);
          waiting.set(endpointId, (waiting.get(endpointId) ?? 0) - count);
          return count;
        },
        partnerOf: async (queue: string) => (queue === queueOf("gone") ? null : parseQueue(queue).endpointId),
      },
      endpoints: {
        directory: {
          async find(partnerId: string) {
            asked(partnerId);
            return live.has(partnerId) ? { status: "Active" } : null;
          },
        },
        queues: { heldIds: () => ["under way"], forget: () => undefined },
      },
    } as unknown as DueDeps);

  beforeEach(() => {
    for (const mock of [asked, given, info]) mock.mockClear();
    now = NOW;
    waiting = new Map();
    live = new Set(["live"]);
  });

  test("all that waits in both its queues ends, step by step, but what is under way", async () => {
    waiting.set("e", 1_000);
    await create().exhaust(locate("e"));
    expect(waiting.get("e")).toBe(0);
    expect(given.mock.calls).toEqual(Array(3).fill([bothQueues(locate("e")), NOW, 500, ["under way"]]));
    expect(info.mock.calls).toEqual([
      [{ endpointId: "e", deliveries: 1_000 }, "endpoint.deliveries_exhausted"],
    ]);
  });

  test("is found by a look at those that wait; a live one, and one that nothing waits for, stay", async () => {
    waiting.set("dead", 7).set("live", 7).set("gone", 7);
    await create().check([headOf("dead"), headOf("live"), headOf("gone")]);
    expect([...waiting]).toEqual([
      ["dead", 0],
      ["live", 7],
      ["gone", 7],
    ]);
  });

  test("each is looked at every thirty seconds, twenty a round; one that was away, at once", async () => {
    const { check } = create();
    const many = Array.from({ length: 21 }, (_, index) => headOf(`e${index}`));
    const looked = async (heads = many) => {
      asked.mockClear();
      await check(heads);
      return asked.mock.calls.length;
    };
    expect([await looked(), await looked(), await looked()]).toEqual([20, 1, 0]);
    now += 30_000;
    expect(await looked()).toBe(0);
    now += 1;
    expect(await looked()).toBe(20);
    await looked([]);
    expect(await looked()).toBe(20);
  });
});
