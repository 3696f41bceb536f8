import { describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import type { ReplayJob } from "../../../services/delivery/replay/replay-job.model.ts";
import { runReplayJob } from "../../../services/delivery/replay/run-replay-jobs.ts";
import { aJob, anEvent } from "../../support/builders/delivery-records.ts";

const START = Date.parse("2026-01-31T12:00:00.000Z");

const jobOf = (partnerId: string, claimableAtMs: number): ReplayJob =>
  aJob({
    ...{ _id: `series of ${partnerId}`, partnerId, endpointId: `endpoint of ${partnerId}` },
    claimableAt: new Date(claimableAtMs),
  });
const eventOf = (partnerId: string, index: number) =>
  anEvent({ _id: String(index).padStart(9, "0"), partnerId, occurredAt: new Date(START) });

/** Jobs in memory, for partners with so many events each; every chunk read takes ten milliseconds. */
function aLine(eventsOf: Record<string, number>) {
  let now = START;
  const jobs = Object.keys(eventsOf).map((partnerId, index) => jobOf(partnerId, START - 1_000 + index));
  const held = ({ _id, claim }: ReplayJob) => jobs.find((job) => job._id === _id && job.claim === claim);
  const replays: Parameters<typeof runReplayJob>[0]["replays"] = {
    async claim(token, atMs, untilMs) {
      leases.push(untilMs - atMs);
      const free = jobs.filter(({ claimableAt }) => claimableAt !== null && claimableAt.getTime() <= atMs);
      const [first] = free.sort((a, b) => Number(a.claimableAt) - Number(b.claimableAt));
      return first ? { ...Object.assign(first, { claim: token, claimableAt: new Date(untilMs) }) } : null;
    },
    async advance(job, cursor, added, untilMs) {
      await turn();
      leases.push(untilMs - now);
      steps.push("advance");
      const mine = held(job);
      if (!mine) return false;
      Object.assign(mine, { cursor, created: mine.created + added, claimableAt: new Date(untilMs) });
      return true;
    },
    async finish(job, atMs) {
      await turn();
      Object.assign(held(job) ?? {}, { claimableAt: null, finishedAt: new Date(atMs) });
    },
    async eventsAfter({ partnerId }, cursor, limit) {
      now += 10;
      const done = cursor ? Number(cursor.eventId) + 1 : 0;
      const length = Math.min(limit, (eventsOf[partnerId] ?? 0) - done);
      return Array.from({ length }, (_, index) => eventOf(partnerId, done + index));
    },
    async deliveriesOf() {
      steps.push("deliveriesOf");
      return [];
    },
  };
  const planned: { partnerId: string; eventId: string }[] = [];
  /** How long each claim, and each move of a cursor, keeps the job. */
  const leases: number[] = [];
  const steps: string[] = [];
  let waiting = 0;
  let stopping = false;
  const deps: Parameters<typeof runReplayJob>[0] = {
    replays,
    partitions: { locate: ({ endpointId }) => ({ endpointId, partition: 0 }) },
    deliveries: {
      insert: async (found) => {
        for (let turns = 0; turns < 3; turns += 1) await turn();
        steps.push("insert");
        planned.push(...found);
        return new Map();
      },
      countWaiting: async (_partner, _queue, limit) => Math.min(waiting, limit),
    },
    onWaiting: (partnerId) => void steps.push(`wake ${partnerId}`),
    clock: { now: () => now },
    logger: pino({ level: "silent" }),
  };
  return {
    ...{ deps, jobs, planned, leases, steps },
    run: () => runReplayJob(deps, () => stopping),
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    letWait: (deliveries: number) => {
      waiting = deliveries;
    },
    stop: () => {
      stopping = true;
    },
  };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

const partnersIn = (planned: readonly { partnerId: string }[]) => [
  ...new Set(planned.map(({ partnerId }) => partnerId)),
];

describe("runReplayJob", () => {
  test("a huge job before a small one: the small one has its turn before the huge one ends", async () => {
    const { run, jobs, planned } = aLine({ huge: 100_000, small: 10 });
    await run();
    expect(partnersIn(planned)).toEqual(["huge"]);
    await run();
    expect(partnersIn(planned)).toEqual(["huge", "small"]);
    expect(jobs.map(({ finishedAt }) => finishedAt !== null)).toEqual([false, true]);
  });

  test("four chunks a turn: each stored before the cursor moves, and the job kept until the last", async () => {
    const { run, planned, leases, steps } = aLine({ huge: 100_000 });
    await run();
    expect(planned).toHaveLength(2_000);
    expect(leases).toEqual([15_000, 15_000, 15_000, 15_000, 0]);
    expect(steps).toEqual(Array(4).fill(["insert", "wake huge", "advance"]).flat());
  });

  test("a job for deliveries of one status: only what ended so is planned", async () => {
    const { run, deps, jobs, planned } = aLine({ one: 3 });
    Object.assign(jobs[0] ?? {}, { status: "Exhausted" });
    const at = new Date(START - 1_000);
    deps.replays.deliveriesOf = async () => [
      { eventId: eventOf("one", 1)._id, createdAt: at, status: "Exhausted", completedAt: at },
    ];
    while (await run());
    expect(planned.map(({ eventId }) => eventId)).toEqual([eventOf("one", 1)._id]);
  });

  test("turn after turn: every event of every job is planned once", async () => {
    const { run, jobs, planned } = aLine({ one: 4_321, two: 2_000, three: 0 });
    while (await run());
    expect(jobs.every(({ finishedAt }) => finishedAt !== null)).toBe(true);
    expect(jobs.map(({ created }) => created)).toEqual([4_321, 2_000, 0]);
    const inserted = planned.map(({ partnerId, eventId }) => `${partnerId} ${eventId}`);
    expect([inserted.length, new Set(inserted).size]).toEqual([6_321, 6_321]);
  });

  test("as many as may wait do: nothing is planned until some of them are sent, and others have their turn", async () => {
    const { run, jobs, planned, wait, letWait } = aLine({ one: 10, two: 10 });
    letWait(5_000);
    expect([await run(), await run(), await run()]).toEqual([true, true, false]);
    expect([planned, jobs.map(({ cursor, finishedAt }) => cursor ?? finishedAt)]).toEqual([[], [null, null]]);
    expect(jobs.map(({ created }) => created)).toEqual([0, 0]);
    letWait(4_999);
    wait(5_000);
    while (await run());
    expect(planned).toHaveLength(20);
  });

  test("on a stop: the job is free for another process at once, at its cursor", async () => {
    const { run, deps, jobs, planned, stop } = aLine({ huge: 100_000 });
    stop();
    await run();
    expect(jobs[0]).toMatchObject({ created: planned.length, finishedAt: null });
    expect(jobs[0]?.claimableAt?.getTime()).toBe(deps.clock.now());
  });

  test("a process that dies before it moves the cursor: another plans that chunk again, and all the others", async () => {
    const { run, deps, jobs, planned, wait } = aLine({ one: 3_000 });
    const { advance } = deps.replays;
    deps.replays.advance = async () => {
      throw new Error("died");
    };
    await expect(run()).rejects.toThrow("died");
    deps.replays.advance = advance;
    expect(await run()).toBe(false);
    wait(15_000);
    while (await run());
    expect(jobs[0]).toMatchObject({ created: 3_000, finishedAt: expect.any(Date) });
    expect(new Set(planned.map(({ eventId }) => eventId)).size).toBe(3_000);
  });

  test("taken over by another meanwhile: leaves the job to it, after the chunk in hand", async () => {
    const { run, deps, jobs, planned } = aLine({ huge: 100_000 });
    const insert = deps.deliveries.insert;
    deps.deliveries.insert = async (found) => {
      Object.assign(jobs[0] ?? {}, { claim: "another" });
      return insert(found);
    };
    await run();
    expect(jobs[0]).toMatchObject({ claim: "another", cursor: null, finishedAt: null });
    expect(planned).toHaveLength(500);
  });
});
