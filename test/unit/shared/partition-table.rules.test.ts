import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import {
  countUnheld,
  firstEndMs,
  heldBy,
  leave,
  newHoldings,
  type PartitionTable,
  partitionOf,
  settle,
} from "../../../shared/partitions/partition-table.rules.ts";

const NOW = Date.parse("2026-03-01T12:00:00.000Z");
const LIVING = new Date(NOW + 1);
const DEAD = new Date(NOW);

/** "a b -" is three partitions, of which nobody holds the third; a member in brackets is dead. */
function aTable(holders: string, members: string): PartitionTable {
  return {
    version: 1,
    at: new Date(NOW),
    members: members
      .split(" ")
      .filter(Boolean)
      .map((id) => (id.startsWith("(") ? { id: id.slice(1, -1), until: DEAD } : { id, until: LIVING })),
    holdings: holders.split(" ").map((id) => ({ holder: id === "-" ? null : id, epoch: 7 })),
  };
}

const holdersIn = (holdings: PartitionTable["holdings"] | null) =>
  holdings?.map(({ holder }) => holder ?? "-").join(" ") ?? null;

describe("settle", () => {
  test.each([
    ["the first of all takes everything", "- - - -", "a", "a a a a"],
    ["one that the table does not know takes nothing", "a a b b", "b", null],
    ["with its fair share it changes nothing", "a a b b", "a b", null],
    ["one that comes new takes nothing from the living", "b b b b", "a b", null],
    ["who has more than its share gives the rest to whoever has less", "a a a a", "a b", "b b a a"],
    ["several that come new get their share each", "a a a a a a", "a b c", "b c b c a a"],
    ["a dead one's are taken up to the own share", "c c c c", "a b (c)", "a a c c"],
    ["a dead one that held nothing is forgotten", "a a", "a (b)", "a a"],
    ["one that nobody knows any more is dead", "x a", "a", "a a"],
    ["shares that do not come out even differ by one", "a a a", "a b", "b a a"],
    ["more processes than partitions: the last have none", "a b", "a b c", null],
    ["what another has too much of is not made up for", "a a b b", "a b c", null],
    ["with its share it leaves what is free to others, and keeps its own", "- a", "a b", null],
    ["of more that lack some each gets what there is too much of", "a a a - - -", "a b c", "b a a - - -"],
  ])("%s", (_, holders, members, wanted) => {
    expect(holdersIn(settle(aTable(holders, members), "a"))).toBe(wanted);
  });

  test.each([
    ["takes what is free", "- - b b", "a (b)", "a a b b"],
    ["takes nothing from the dead", "b b b b", "a (b)", null],
    ["gives nothing away", "a a a a", "a (b)", null],
  ])("one that has just come: %s", (_, holders, members, wanted) => {
    expect(holdersIn(settle(aTable(holders, members), "a", { isPatient: true }))).toBe(wanted);
  });

  test("the epoch rises with a change of hands, and only then", () => {
    const settled = settle(aTable("a a a b", "a b"), "a");
    expect(settled?.map(({ holder, epoch }) => `${holder}${epoch}`)).toEqual(["b8", "a7", "a7", "b7"]);
  });
});

test.each([
  ["a b", "a b", 0],
  ["a b -", "a b", 1],
  ["a b b -", "a (b)", 3],
  ["a b", "a", 1],
])("nobody living holds some of %s, where %s are there: %d", (holders, members, unheld) => {
  expect(countUnheld(aTable(holders, members))).toBe(unheld);
});

describe("leave", () => {
  test.each([
    ["gives to those that are left, so that their shares are fair", "a a a a b c", "a b c", "b c b c b c"],
    ["gives to nobody when nobody is left", "a a", "a", "- -"],
    ["gives nothing to the dead", "a a b b", "a (b)", "- - b b"],
  ])("%s", (_, holders, members, wanted) => {
    expect(holdersIn(leave(aTable(holders, members), "a"))).toBe(wanted);
  });

  test("the epoch rises with what is given away", () => {
    expect(leave(aTable("a b", "a b"), "a").map(({ epoch }) => epoch)).toEqual([8, 7]);
  });
});

test("a partner is always in the same partition, and partners spread over all of them", () => {
  // Another result would leave what waits in partitions where nobody looks for it.
  expect([partitionOf("0199a000-0000-7000-8000-000000000001", 64), partitionOf("p", 64)]).toEqual([25, 5]);
  const used = new Set(Array.from({ length: 2_000 }, (_, i) => partitionOf(`partner ${i}`, 64)));
  expect(used.size).toBe(64);
  expect(Math.max(...used)).toBe(63);
});

describe("processes that join, die and leave, in any order", () => {
  const ids = ["a", "b", "c", "d", "e"];
  const step = fc.record({ kind: fc.constantFrom("beat", "die", "leave"), id: fc.constantFrom(...ids) });

  /** As the database does it: renew, then change what was seen. */
  function world(count: number) {
    let holdings = newHoldings(count);
    const until = new Map<string, Date>();
    const table = (): PartitionTable => ({
      version: 1,
      at: new Date(NOW),
      members: [...until].map(([id, at]) => ({ id, until: at })),
      holdings,
    });
    return {
      table,
      beat(id: string) {
        until.set(id, LIVING);
        const before = table();
        const after = settle(before, id);
        if (!after) return;
        for (const [p, { holder, epoch }] of after.entries()) {
          const was = before.holdings[p];
          expect(epoch - (was?.epoch ?? 0)).toBe(holder === was?.holder ? 0 : 1);
          // Only what is its own, or nobody's among the living, changes hands.
          if (holder !== was?.holder && was?.holder != null && was.holder !== id)
            expect(until.get(was.holder)?.getTime() ?? 0).toBeLessThanOrEqual(NOW);
        }
        holdings = after;
        for (const [member, at] of until) if (at <= DEAD) until.delete(member);
      },
      die: (id: string) => void (until.has(id) && until.set(id, DEAD)),
      leave(id: string) {
        holdings = leave(table(), id);
        until.delete(id);
      },
    };
  }

  test("after a few beats of those that live each has its fair share, and nothing is left over", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.array(step, { maxLength: 40 }), (count, steps) => {
        const all = world(count);
        for (const { kind, id } of steps) all[kind as "beat" | "die" | "leave"](id);
        const living = ids.slice(0, 1 + (steps.length % ids.length));
        for (const id of ids) if (!living.includes(id)) all.die(id);
        for (let round = 0; round < 3; round += 1) for (const id of living) all.beat(id);
        const { holdings } = all.table();
        const shares = living.map((id) => heldBy(holdings, id).length);
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(count);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
        // And then it stays as it is.
        for (const id of living) expect(settle(all.table(), id)).toBeNull();
      }),
    );
  });
});

describe("firstEndMs", () => {
  const until = (ms: number) => new Date(NOW + ms);
  const table = (...members: PartitionTable["members"]) => ({ ...aTable("a b", ""), members });

  test("the first lease of another process that ends; neither the own one nor one that has ended", () => {
    const members = [
      { id: "me", until: until(10) },
      { id: "dead", until: until(0) },
      { id: "b", until: until(900) },
      { id: "c", until: until(700) },
    ];
    expect(firstEndMs(table(...members), "me")).toBe(700);
  });

  test("no other process: never", () => {
    expect(firstEndMs(table({ id: "me", until: until(10) }), "me")).toBe(Number.POSITIVE_INFINITY);
  });
});
