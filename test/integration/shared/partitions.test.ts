/** Several processes share out partitions by a table in a real database, whatever their own clocks say. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { noLanes } from "../../../shared/lanes.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { partitionTableRepository } from "../../../shared/partitions/partition-table.repository.ts";
import { createPartitions, type Partitions } from "../../../shared/partitions/partitions.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const COUNT = 8;
const LEASE_MS = 500;
const FOR_EVER_MS = 600_000;

let mongo: Mongo;
let open: Partitions[] = [];
/** Only a timer of each still runs. */
const killed: { thaw(): void; stop(): Promise<void> }[] = [];
beforeAll(async () => {
  mongo = await openTestDatabase("delivery");
});
afterAll(async () => {
  await stopAll();
  for (const each of killed) each.thaw();
  await Promise.all(killed.map((each) => each.stop()));
  await mongo.close();
});
beforeEach(async () => {
  await stopAll();
  await mongo.connection.collection("partitions").deleteMany({});
});

async function stopAll() {
  await Promise.all(open.map((each) => each.stop()));
  open = [];
}

type Wish = { count?: number; leaseMs?: number; nowMs?: () => number };

function aProcess(me: string, { count = COUNT, leaseMs = LEASE_MS, ...clock }: Wish = {}) {
  const orphans: number[] = [];
  const heirs: string[] = [];
  let life = Promise.resolve();
  let thaw: () => void = () => undefined;
  const table = partitionTableRepository(mongo.connection, count);
  const partitions = createPartitions({
    me,
    count,
    leaseMs,
    table: {
      renew: (...args) => life.then(() => table.renew(...args)),
      change: (...args) => life.then(() => table.change(...args)),
    },
    prepare: async (_, orphaned) => void orphans.push(...orphaned),
    onHeld: () => undefined,
    onGiven: (given) => {
      heirs.push(...given);
      for (const process of open) process.wake();
    },
    lanes: noLanes,
    logger: pino({ level: "silent" }),
    metrics: createMetrics("delivery"),
    ...clock,
  });
  const all = {
    ...partitions,
    heirs,
    orphans,
    /** From now on it does nothing more, as a killed process would. */
    kill() {
      all.freeze();
      open = open.filter((each) => each !== all);
      killed.push(all);
    },
    freeze() {
      life = new Promise((resolve) => {
        thaw = resolve;
      });
    },
    thaw: () => thaw(),
  };
  open.push(all);
  return all;
}

const sharesOf = (...processes: Partitions[]) => processes.map((each) => each.held().length);
const untilShares = (processes: Partitions[], shares: number[]) =>
  waitFor(() => JSON.stringify(sharesOf(...processes)) === JSON.stringify(shares), `shares of ${shares}`);
const nobodyTwice = (...processes: Partitions[]) => {
  const held = processes.flatMap((each) => each.held());
  expect(new Set(held).size).toBe(held.length);
};

describe("processes that come and go", () => {
  test("the first has all at once; a second gets its half; who stops gives its own away at once", async () => {
    const a = aProcess("a", { leaseMs: FOR_EVER_MS });
    await a.start();
    expect(sharesOf(a)).toEqual([COUNT]);
    expect(a.mustPoll()).toBe(true);
    const b = aProcess("b", { leaseMs: FOR_EVER_MS });
    await b.start();
    a.wake();
    await untilShares([a, b], [COUNT / 2, COUNT / 2]);
    nobodyTwice(a, b);
    expect(b.orphans).toEqual([]);
    // No lease ends in this test: what b has at the end was given to it.
    await a.stop();
    await untilShares([a, b], [0, COUNT]);
    expect([a.heirs, b.orphans]).toEqual([["b", "b"], []]);
    await b.stop();
    const c = aProcess("c", { leaseMs: FOR_EVER_MS });
    await c.start();
    expect([sharesOf(c), c.orphans]).toEqual([[COUNT], []]);
  });

  test("many at once: one table, every partition held once", async () => {
    const processes = ["a", "b", "c", "d"].map((me) => aProcess(me));
    await Promise.all(processes.map((each) => each.start()));
    await untilShares(processes, [2, 2, 2, 2]);
    nobodyTwice(...processes);
  });

  test("a dead process is succeeded when its lease ends, in a higher epoch that names what it left", async () => {
    const [a, b] = [aProcess("a"), aProcess("b")];
    await a.start();
    await b.start();
    await untilShares([a, b], [4, 4]);
    const lost = a.held().map((partition) => ({ partition, epoch: a.epoch(partition) ?? 0 }));
    a.kill();
    await untilShares([b], [COUNT]);
    expect(b.orphans.sort()).toEqual(lost.map(({ partition }) => partition).sort());
    for (const { partition, epoch } of lost) expect(b.epoch(partition)).toBe(epoch + 1);
    expect(a.held()).toEqual([]);
  });
});

test("a frozen process that lost its leases owns nothing twice when it continues", async () => {
  const [a, b] = [aProcess("a"), aProcess("b")];
  await a.start();
  await b.start();
  await untilShares([a, b], [4, 4]);
  let heldTwice = 0;
  for (let times = 0; times < 3; times += 1) {
    a.freeze();
    await untilShares([a, b], [0, COUNT]);
    a.thaw();
    await waitFor(
      () => {
        heldTwice += a.held().filter((partition) => b.epoch(partition) !== null).length;
        return a.held().length === COUNT / 2;
      },
      { what: "its share again", everyMs: 1 },
    );
  }
  expect(heldTwice).toBe(0);
});

describe("clocks", () => {
  test("a process that cannot renew holds nothing by its own clock before the database lets others take over", async () => {
    const a = aProcess("a", { leaseMs: FOR_EVER_MS });
    let aheadMs = 0;
    const b = aProcess("b", { leaseMs: FOR_EVER_MS, nowMs: () => performance.now() + aheadMs });
    await a.start();
    await b.start();
    a.wake();
    await untilShares([a, b], [4, 4]);
    b.kill();
    aheadMs = FOR_EVER_MS;
    expect(b.held()).toEqual([]);
    expect(b.epoch(b.holder(0) === "b" ? 0 : 7)).toBeNull();
  });

  test("a process whose clock is years ahead takes nothing from one that lives", async () => {
    const a = aProcess("a", { leaseMs: FOR_EVER_MS });
    await a.start();
    const b = aProcess("b", { leaseMs: FOR_EVER_MS, nowMs: () => performance.now() + 1e12 });
    await b.start();
    b.wake();
    a.wake();
    await untilShares([a, b], [4, 4]);
    nobodyTwice(a, b);
  });

  test("a process declared dead that returns meanwhile loses nothing to the process that declared it", async () => {
    const table = partitionTableRepository(mongo.connection, COUNT);
    await table.renew("a", FOR_EVER_MS);
    await table.renew("b", 0);
    const seen = await table.renew("a", FOR_EVER_MS);
    await table.renew("b", FOR_EVER_MS);
    const taken = seen.holdings.map(({ epoch }) => ({ holder: "a", epoch: epoch + 1 }));
    expect(await table.change(seen.version, taken)).toBe(false);
  });

  test("a change does not undo leases that others renewed since the table was read", async () => {
    const table = partitionTableRepository(mongo.connection, COUNT);
    await table.renew("b", FOR_EVER_MS);
    const seen = await table.renew("a", FOR_EVER_MS);
    const { members } = await table.renew("b", 2 * FOR_EVER_MS);
    expect(await table.change(seen.version, seen.holdings)).toBe(true);
    const after = await table.renew("c", FOR_EVER_MS);
    expect(after.members).toContainEqual(members.find(({ id }) => id === "b"));
  });
});

test("another number of partitions than the installation was made with is refused", async () => {
  await aProcess("a").start();
  await expect(aProcess("b", { count: COUNT + 1 }).start()).rejects.toThrow(
    "made with 8 partitions and keeps them; 9 are set",
  );
});

test("a change of the table forgets who is dead and who leaves, and nobody else", async () => {
  const table = partitionTableRepository(mongo.connection, COUNT);
  await table.renew("dead", 1);
  await table.renew("leaving", FOR_EVER_MS);
  const { version, holdings, members } = await table.renew("living", FOR_EVER_MS);
  expect(members.map(({ id }) => id)).toEqual(["dead", "leaving", "living"]);
  await waitFor(async () => {
    const { at, members: now } = await table.renew("living", FOR_EVER_MS);
    return now.some(({ id, until }) => id === "dead" && until < at);
  }, "the lease of the dead one to end");
  expect(await table.change(version, holdings, "leaving")).toBe(true);
  expect((await table.renew("living", FOR_EVER_MS)).members.map(({ id }) => id)).toEqual(["living"]);
});

test("the version: one at first, one more for who comes or comes back and for each change; none for a renewal", async () => {
  const table = partitionTableRepository(mongo.connection, COUNT);
  const versions: number[] = [];
  const renew = async (me: string, leaseMs: number) => {
    const { version, holdings, at } = await table.renew(me, leaseMs);
    expect(at).toBeInstanceOf(Date);
    versions.push(version);
    return { version, holdings };
  };
  for (const _ of [1, 2]) await renew("a", FOR_EVER_MS);
  // Its lease has ended before it began.
  for (const _ of [1, 2]) await renew("b", -1);
  const { version, holdings } = await renew("a", FOR_EVER_MS);
  expect(await table.change(version, holdings)).toBe(true);
  expect(await table.change(version, holdings)).toBe(false);
  await renew("a", FOR_EVER_MS);
  expect(versions).toEqual([1, 1, 2, 3, 3, 4]);
  const stored = await mongo.connection.collection("partitions").find().toArray();
  expect(stored).toMatchObject([{ _id: "partitions" }]);
});
