import { describe, expect, test } from "@jest/globals";
import {
  createPurge,
  createTallying,
  type PurgeDeps,
} from "../../../services/delivery/history/history-upkeep.ts";

const NOW = Date.parse("2026-06-01T00:00:00.000Z");

/** An upkeep that is asked to stop during the first step of its work. */
function anUpkeepToBeStopped({ stepsLeft = 5, partners = ["a", "b", "c"] } = {}) {
  let stopping = false;
  const emptiedAfter: string[] = [];
  const lookedAt: string[] = [];
  const deps: PurgeDeps = {
    tallies: {
      purge: async () => 0,
      partners: async () => [...partners],
      async uncounted(partnerId: string) {
        lookedAt.push(partnerId);
        stopping = true;
        return 0;
      },
    } as unknown as PurgeDeps["tallies"],
    retention: {
      deleteEvents: async () => 0,
      async emptyEvents(afterId) {
        emptiedAfter.push(afterId);
        stopping = true;
        return emptiedAfter.length < stepsLeft ? `event ${emptiedAfter.length}` : null;
      },
    },
    clock: { now: () => NOW },
  };
  const isStopping = () => stopping;
  return { deps, isStopping, emptiedAfter, lookedAt, goOn: () => (stopping = false) };
}

describe("history upkeep", () => {
  test("a stop while events are emptied: no further step is made, and the next round skips nothing", async () => {
    const { deps, isStopping, emptiedAfter, goOn } = anUpkeepToBeStopped();
    const purge = createPurge(deps);
    await purge(isStopping);
    expect(emptiedAfter).toEqual([""]);
    goOn();
    await purge(isStopping);
    expect(emptiedAfter).toEqual(["", ""]);
  });

  test("a stop while partners are looked at: the rest is left", async () => {
    const { deps, isStopping, lookedAt } = anUpkeepToBeStopped();
    expect(await createTallying(deps)(isStopping)).toBe(false);
    expect(lookedAt).toEqual(["a"]);
  });
});
