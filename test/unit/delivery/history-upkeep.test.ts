import { expect, test } from "@jest/globals";
import { createTallying } from "../../../services/delivery/history/history-upkeep.ts";

test("a stop while partners are looked at: the rest is left", async () => {
  let isStopping = false;
  const lookedAt: string[] = [];
  const tally = createTallying({
    tallies: {
      partners: async () => ["a", "b", "c"],
      async uncounted(partnerId) {
        lookedAt.push(partnerId);
        isStopping = true;
        return 0;
      },
      count: async () => 0,
    },
  });
  expect(await tally(() => isStopping)).toBe(false);
  expect(lookedAt).toEqual(["a"]);
});
