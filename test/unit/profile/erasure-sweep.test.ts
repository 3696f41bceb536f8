import { describe, expect, test } from "@jest/globals";
import pino from "pino";
import type { Tombstone } from "../../../services/profile/record/erased-customer.rules.ts";
import type { Profile } from "../../../services/profile/record/profile.types.ts";
import { createErasureSweep } from "../../../services/profile/upkeep/erasure-sweep.ts";
import { noLanes } from "../../../shared/lanes.ts";
import { aStoredProfile } from "../../support/builders/stored-profile.ts";
import { waitFor } from "../../support/wait-for.ts";

const idOf = (index: number) => `c${String(index).padStart(3, "0")}`;

/** Erasures that were interrupted, and rejected customers that are due; some can never be erased. */
function aStage({ unfinished = 0, due = 0, broken = (_id: string) => false, isMine = true }) {
  const open = new Set(Array.from({ length: unfinished }, (_, index) => idOf(index)));
  const closed = new Map(
    Array.from({ length: due }, (_, index) => [idOf(index), aStoredProfile({ _id: idOf(index) })]),
  );
  const read: string[] = [];
  const after = <T extends { _id: string }>(all: T[], position: string, limit: number): T[] => {
    const page = all.filter(({ _id }) => _id > position).slice(0, limit);
    read.push(...page.map(({ _id }) => _id));
    return page;
  };
  const sweep = createErasureSweep({
    erasures: {
      unfinishedAfter: async (position: string, limit: number) =>
        after(
          [...open].map((_id) => ({ _id, erased: { isUnfinished: true } }) as Tombstone),
          position,
          limit,
        ),
      closedBefore: async (_status: string, _since: string, position: Profile | null, limit: number) =>
        after([...closed.values()], position?._id ?? "", limit),
      finish: async (customerId: string) => void open.delete(customerId),
      async erase({ _id }: Profile) {
        if (broken(_id)) throw new Error("cannot be erased");
        closed.delete(_id);
        open.add(_id);
        return true;
      },
    },
    eraseDocuments: async (customerId: string) => {
      if (broken(customerId)) throw new Error("away");
    },
    outbox: { publish: () => undefined },
    clock: { now: Date.now },
    logger: pino({ level: "silent" }),
    lanes: noLanes,
    isMine: () => isMine,
    config: { retentionRejectedDays: 1, retentionApprovedDays: 0, erasureSweepMs: 10 },
  } as never);
  return { sweep, open, closed, read };
}

describe("the erasure sweep", () => {
  test("more than a batch: works through all of it, and reads each once", async () => {
    const { sweep, open, closed, read } = aStage({ due: 45 });
    sweep.start();
    await waitFor(() => open.size + closed.size === 0, { what: "all of them to be erased" });
    await sweep.stop();
    expect(read.sort()).toEqual(Array.from({ length: 45 }, (_, index) => idOf(index)));
  });

  test.each([
    ["interrupted", { unfinished: 45 }],
    ["due", { due: 45 }],
  ])(
    "a whole batch of %s ones that fail again and again: the others are erased all the same",
    async (_, given) => {
      const { sweep, open, closed } = aStage({ ...given, broken: (id) => id < idOf(20) });
      sweep.start();
      await waitFor(() => open.size + closed.size === 20, { what: "the others to be erased" });
      await sweep.stop();
      expect([...open, ...closed.keys()].every((id) => id < idOf(20))).toBe(true);
    },
  );

  test("of a process without the lease: reads nothing", async () => {
    const others = aStage({ due: 1, isMine: false });
    const mine = aStage({ due: 1 });
    for (const { sweep } of [others, mine]) sweep.start();
    await waitFor(() => mine.open.size + mine.closed.size === 0, "the other sweep to have run");
    await Promise.all([others.sweep.stop(), mine.sweep.stop()]);
    expect(others.read).toEqual([]);
  });
});
