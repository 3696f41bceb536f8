import { expect, test } from "@jest/globals";
import { createWakeOwners } from "../../../services/delivery/wake-owners.ts";

function aWakeHolder() {
  const [here, told]: [number[], string[]] = [[], []];
  const wake = createWakeOwners({
    me: "me",
    partitions: {
      owner: (partnerId) => ({ mine: "me", theirs: "other", alsoTheirs: "other" })[partnerId] ?? null,
    },
    wakeHere: (withinMs) => void here.push(withinMs),
    notify: (node) => void told.push(node),
    clock: { now: () => 1_000 },
  });
  return { wake, here, told };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("a queue of this process, or of none, is checked here when due", () => {
  const { wake, here } = aWakeHolder();
  wake("mine");
  wake("mine", new Date(3_500));
  wake("nobody's");
  expect(here).toEqual([0, 2_500, 0]);
});

test("a queue of another process: one message for simultaneous deliveries", async () => {
  const { wake, here, told } = aWakeHolder();
  wake("theirs");
  wake("alsoTheirs");
  await nextTurn();
  expect([here, told]).toEqual([[], ["other"]]);
  wake("theirs");
  await nextTurn();
  expect(told).toEqual(["other", "other"]);
});
