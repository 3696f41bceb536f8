import { describe, expect, test } from "@jest/globals";
import {
  flapping,
  resumedLate,
  type Sample,
  stoodWhileReady,
  type WorkKind,
} from "../../chaos/lab/progress.rules.ts";

const counts = (outbox: number, pending = 0): Record<WorkKind, number> => ({
  ...{ "outboxes hold events": outbox, "deliveries pend": pending, "replays are not done": 0 },
});
type Changes = (second: number) => Partial<Sample>;
const samples = (seconds: number, changes: Changes = () => ({})): Sample[] =>
  Array.from({ length: seconds + 1 }, (_, second) => ({
    ...{ atMs: second * 1_000, stolenMs: 0, notReady: [], refusing: [] },
    ...{ backlog: counts(5), done: counts(10) },
    ...changes(second),
  }));

describe("stoodWhileReady", () => {
  const judged = (all: Sample[], isExcused = (_: number) => false) => stoodWhileReady(all, isExcused);
  const stood = ["outboxes hold events: no progress for 11.0 s by ready processes"];
  const unready = (...names: string[]) => samples(11, () => ({ notReady: names }));

  test("work that stands for longer than ten seconds is reported", () => {
    expect([judged(samples(10)), judged(samples(11))]).toEqual([[], stood]);
  });

  test("an unready process hides no work of others, nor that of its other replica", () => {
    expect(judged(unready("gateway-1", "gateway-2", "profile-1", "delivery-2"))).toEqual(stood);
    expect(judged(unready("profile-1", "profile-2"))).toEqual([]);
  });

  test("progress of another kind hides nothing", () => {
    expect(judged(samples(11, (second) => ({ done: counts(10, second) })))).toEqual(stood);
  });

  test.each<[string, Changes]>([
    ["work moves", (second) => ({ done: counts(second) })],
    ["the backlog shrinks", (second) => ({ backlog: counts(100 - second) })],
    ["there is none", () => ({ backlog: counts(0) })],
    ["it cannot be counted", () => ({ backlog: null })],
  ])("it is honest when %s", (_, changes) => {
    expect(judged(samples(60, changes))).toEqual([]);
  });

  test("it stood only while the machine ran", () => {
    const halfStolen: Changes = (second) => ({ stolenMs: 7_000 + second * 500 });
    expect([judged(samples(20, halfStolen)), judged(samples(22, halfStolen))]).toEqual([[], stood]);
  });

  test("a receiver's fault is an excuse", () => {
    expect(judged(samples(20), (atMs) => atMs === 10_000)).toEqual([]);
  });
});

describe("flapping", () => {
  const name = "profile-1";
  const flaps = (times: number, isAnswer = true) =>
    samples(90, (second) => {
      const isDown = second % 30 === 15 && second / 30 < times;
      return isDown ? { notReady: [name], refusing: isAnswer ? [name] : [] } : {};
    });
  const span = (kind: "process-kill" | "mongod-kill" | "link-cut" | "receiver-500", target: string) => ({
    ...{ fault: { kind, target }, fromMs: 40_000, toMs: 45_000 },
  });
  const twice = [`${name} became unready 2 times without a fault on it`];

  test("a process that becomes unready more than once without a fault is reported", () => {
    expect([flapping(flaps(1), []), flapping(flaps(2), [])]).toEqual([[], twice]);
    expect(flapping(flaps(2, false), [])).toEqual([]);
  });

  test("only a fault on it excuses", () => {
    for (const fault of [
      span("process-kill", name),
      span("mongod-kill", "mongod"),
      span("link-cut", "*>mongod"),
    ])
      expect(flapping(flaps(2), [fault])).toEqual([]);
    for (const fault of [span("process-kill", "delivery-1"), span("receiver-500", "receiver")])
      expect(flapping(flaps(2), [fault])).toEqual(twice);
  });
});

test("a first create later than five seconds after the last fault, or none, is reported", () => {
  expect([resumedLate(9_000, true), resumedLate(null, true)]).toEqual([
    [],
    [expect.stringContaining("no create")],
  ]);
  expect([resumedLate(5_000), resumedLate(5_100), resumedLate(null)]).toEqual([
    [],
    ["work resumed late: the first create after 5.1 s, promised are 5 s after the last fault"],
    ["work resumed late: no create, promised are 5 s after the last fault"],
  ]);
});
