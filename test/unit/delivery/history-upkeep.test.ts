import { expect, test } from "@jest/globals";
import { createTallying } from "../../../services/delivery/history/history-upkeep.ts";

test("a stop while partners are checked: the others wait for the next start", async () => {
  let isStopping = false;
  const checked: string[] = [];
  const tally = createTallying({
    partners: async () => ["a", "b", "c"],
    async uncounted(partnerId) {
      checked.push(partnerId);
      isStopping = true;
      return 0;
    },
    count: async () => 0,
  });
  expect(await tally(() => isStopping)).toBe(false);
  expect(checked).toEqual(["a"]);
});
