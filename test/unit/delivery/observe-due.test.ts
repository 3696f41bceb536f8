import { expect, test } from "@jest/globals";
import type { DueDeps } from "../../../services/delivery/due/due-deps.ts";
import { dueObserver } from "../../../services/delivery/due/due-round.ts";
import { queueName } from "../../../services/delivery/records/queue-name.rules.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const queueOf = (endpointId: string) => queueName({ endpointId, partition: 3 }, "attempt");

function anObserver() {
  const gauges = new Map<string, number>();
  const counted: unknown[][] = [];
  const clock = { at: NOW, now: () => clock.at };
  const observe = dueObserver({
    runtime: { clock, metrics: { set: (name: string, value: number) => void gauges.set(name, value) } },
    deliveries: {
      async countDue(...asked: unknown[]) {
        counted.push(asked);
        return 12;
      },
    },
    endpoints: {
      pauses: { until: (endpointId: string) => (endpointId === "paused" ? NOW + 60_000 : null) },
      queues: { held: () => 3 },
    },
  } as unknown as DueDeps);
  const look = async (...heads: [string, number][]) => {
    await observe(
      heads.map(([endpointId, inMs]) => ({
        queue: queueOf(endpointId),
        claimableAt: new Date(clock.at + inMs),
      })),
    );
    return ["in_hand", "oldest_due_age_seconds", "due"].map((name) => gauges.get(`pbo_delivery_${name}`));
  };
  return { look, counted, clock };
}

test("in hand, the age of the oldest that is due, how many are: not the paused, not the later ones", async () => {
  const { look, counted } = anObserver();
  expect(await look(["a", -2_000], ["b", 0], ["paused", -9_000], ["later", 1_000])).toEqual([3, 2, 12]);
  expect(counted).toEqual([[["a", "b"].map(queueOf), NOW, 10_000]]);
});

test("nothing is due: none is counted", async () => {
  const { look, counted } = anObserver();
  expect(await look(["later", 1_000])).toEqual([3, 0, 0]);
  expect(counted).toEqual([]);
});

test("counted every five seconds, the age set each time", async () => {
  const { look, counted, clock } = anObserver();
  await look(["a", -1_000]);
  clock.at += 4_999;
  expect(await look(["a", -6_000])).toEqual([3, 6, 12]);
  expect(counted).toHaveLength(1);
  clock.at += 1;
  expect(await look(["later", 1_000])).toEqual([3, 0, 0]);
});
