import { expect, test } from "@jest/globals";
import { createWakeOwners } from "../../../services/delivery/wake-owners.ts";

function aWakeOwners() {
  const [here, notified]: [number[], string[]] = [[], []];
  const owners: Record<string, string> = { mine: "me", theirs: "other", alsoTheirs: "other" };
  const deps = {
    peers: { me: "me", lookNow: (node: string, at: string) => void notified.push(`${node} ${at}`) },
    partitions: { owner: (partnerId: string) => owners[partnerId] ?? null },
    clock: { now: () => 1_000 },
  };
  const wake = createWakeOwners(deps, (withinMs) => void here.push(withinMs));
  return { wake, here, notified };
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("a queue of this process, or of none, is checked here when due", () => {
  const { wake, here } = aWakeOwners();
  wake("mine");
  wake("mine", new Date(3_500));
  wake("nobody's");
  expect(here).toEqual([0, 2_500, 0]);
});

test("a queue of another process: one message for simultaneous deliveries", async () => {
  const { wake, here, notified } = aWakeOwners();
  wake("theirs");
  wake("alsoTheirs");
  await nextTurn();
  expect([here, notified]).toEqual([[], ["other deliveries"]]);
  wake("theirs");
  await nextTurn();
  expect(notified).toEqual(["other deliveries", "other deliveries"]);
});
