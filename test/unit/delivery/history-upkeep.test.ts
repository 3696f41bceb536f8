import { describe, expect, test } from "@jest/globals";
import {
  createPurge,
  createTallying,
  type UpkeepPorts,
} from "../../../services/delivery/history/history-upkeep.ts";

const NOW = Date.parse("2026-06-01T00:00:00.000Z");

/** An upkeep that is asked to stop during the first step of its work. */
function anUpkeepToBeStopped({ stepsLeft = 5, partners = ["a", "b", "c"] } = {}) {
  let stopping = false;
  const emptiedAfter: string[] = [];
  const lookedAt: string[] = [];
  const ports: UpkeepPorts = {
    tallies: {
      purge: async () => 0,
      partners: async () => [...partners],
      async uncounted(partnerId: string) {
        lookedAt.push(partnerId);
        stopping = true;
        return 0;
      },
    } as unknown as UpkeepPorts["tallies"],
    retention: {
      deleteEvents: async () => 0,
      async emptyEvents(afterId) {
        emptiedAfter.push(afterId);
        stopping = true;
        return emptiedAfter.length < stepsLeft ? `event ${emptiedAfter.length}` : null;
      },
    },
    clock: { now: () => NOW },
    isStopping: () => stopping,
  };
  return { ports, emptiedAfter, lookedAt, goOn: () => (stopping = false) };
}

describe("history upkeep", () => {
  test("a stop while events are emptied: no further step is made, and the next round skips nothing", async () => {
    const { ports, emptiedAfter, goOn } = anUpkeepToBeStopped();
    const purge = createPurge(ports);
    await purge();
    expect(emptiedAfter).toEqual([""]);
    goOn();
    await purge();
    expect(emptiedAfter).toEqual(["", ""]);
  });

  test("a stop while partners are looked at: the rest is left", async () => {
    const { ports, lookedAt } = anUpkeepToBeStopped();
    expect(await createTallying(ports)()).toBe(false);
    expect(lookedAt).toEqual(["a"]);
  });
});
