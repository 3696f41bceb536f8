import { describe, expect, test } from "@jest/globals";
import {
  ALL_KINDS,
  type FaultKind,
  kindsNamed,
  kindsOn,
  LAB_LINKS,
  linksOf,
  processesOf,
  type StageKind,
  wayOf,
} from "../../chaos/lab/faults.rules.ts";
import { doMeet, drawSchedule, recipesOf, seedFor } from "../../chaos/lab/schedule.rules.ts";
import { seededRandom } from "../../chaos/seeded-random.ts";

const SEEDS = Array.from({ length: 3_000 }, (_, index) => index);

describe.each<StageKind>(["single", "cluster"])("drawSchedule for the stage %s", (stage) => {
  const draw = (seed: number, kinds = kindsOn(stage)) =>
    drawSchedule(seededRandom(seed), kinds, stage).faults;

  test("the same seed gives the same faults, another seed others", () => {
    expect(draw(7)).toEqual(draw(7));
    expect(new Set(SEEDS.slice(0, 50).map((seed) => JSON.stringify(draw(seed)))).size).toBe(50);
  });

  test("each fault is of its kind: a target it can be done to, a time within its bounds", () => {
    const odd = SEEDS.flatMap((seed) => draw(seed)).filter(({ kind, target, forMs }) => {
      const { targets, forMs: bounds } = wayOf(kind, stage);
      return !targets.includes(target) || forMs < bounds[0] || forMs > bounds[1];
    });
    expect(odd).toEqual([]);
  });

  test("no two faults of a round meet, and they come in the order of their times", () => {
    const odd = SEEDS.map((seed) => draw(seed)).filter((faults) =>
      faults.some(
        (one, index) =>
          faults.slice(index + 1).some((other) => doMeet(one, other)) ||
          one.atMs < (faults[index - 1]?.atMs ?? 0),
      ),
    );
    expect(odd).toEqual([]);
  });

  test("every kind comes alone and together with others", () => {
    const drawn = SEEDS.map((seed) => draw(seed));
    const kindsOf = (rounds: typeof drawn) => new Set(rounds.flat().map(({ kind }) => kind));
    expect(kindsOf(drawn.filter(({ length }) => length === 1)).size).toBe(kindsOn(stage).length);
    expect(kindsOf(drawn.filter(({ length }) => length > 1)).size).toBe(kindsOn(stage).length);
  });

  test("faults are drawn from the named kinds only", () => {
    const only = kindsNamed(["broker", "link-cut"]);
    expect(new Set(SEEDS.flatMap((seed) => draw(seed, only)).map(({ kind }) => kind))).toEqual(new Set(only));
  });
});

describe("seedFor", () => {
  const recipesOfRun = (rounds: number, kinds: FaultKind[], stage: StageKind) => {
    const drawSeed = () => Math.floor(Math.random() * 1e9);
    const seeds = SEEDS.slice(0, rounds).map((round) => seedFor(round, kinds, drawSeed, stage));
    return seeds.map((seed) => drawSchedule(seededRandom(seed), kinds, stage).recipe);
  };

  test.each<[StageKind, number]>([
    ["single", 10],
    ["cluster", 12],
  ])("on the stage %s every other round has one of %i recipes in its turn", (stage, count) => {
    const all = recipesOf(kindsOn(stage), stage);
    expect(all).toHaveLength(count);
    const inTurn = recipesOfRun(2 * count, kindsOn(stage), stage).filter((_, round) => round % 2 === 0);
    expect(inTurn).toEqual(all);
  });

  test("kinds without a recipe take any seed", () => {
    expect(recipesOfRun(4, ["link-cut"], "single")).toEqual(Array(4).fill(null));
  });
});

test("a kind that the stage does not have is a mistake; a family names the kinds that it has", () => {
  expect(() => kindsNamed(["link", "brokers"])).toThrow("brokers");
  expect(() => kindsNamed(["mongod-partition"])).toThrow("mongod-partition");
  expect(kindsNamed(["mongod"])).toEqual(["mongod-kill", "mongod-freeze", "mongod-slow"]);
  expect(kindsNamed(["mongod-partition"], "cluster")).toEqual(["mongod-partition"]);
  expect(kindsNamed(["mongod"], "cluster")).toContain("mongod-two-away");
});

test("each kind is of a stage", () => {
  expect(new Set([...kindsOn("single"), ...kindsOn("cluster")])).toEqual(new Set(ALL_KINDS));
});

test("a target with a star means every link it leaves open", () => {
  expect(linksOf("delivery-*>mongod")).toEqual(["delivery-1>mongod", "delivery-2>mongod"]);
  expect(linksOf("*>nats")).toHaveLength(12);
  expect(LAB_LINKS.flatMap(linksOf)).toEqual(LAB_LINKS);
});

test("a target with a number means the links to one member, which are part of the links to all", () => {
  expect(linksOf("profile-*>mongod-1")).toEqual(["profile-1>mongod-1", "profile-2>mongod-1"]);
  const at = (kind: "link-cut" | "link-member", target: string) => ({ kind, target, atMs: 0, forMs: 0 });
  expect(doMeet(at("link-cut", "*>mongod"), at("link-member", "profile-*>mongod-1"))).toBe(true);
  expect(doMeet(at("link-cut", "*>nats"), at("link-member", "profile-*>mongod-1"))).toBe(false);
});

test("two roles may be of one server; a rollout lasts until the end", () => {
  const at = (kind: FaultKind, target: string, atMs = 0) => ({ kind, target, atMs, forMs: 0 });
  expect(doMeet(at("broker-kill", "EVENTS-leader"), at("broker-wipe", "meta-leader"))).toBe(true);
  expect(doMeet(at("process-rollout", "*"), at("process-clock", "profile-2", 60_000))).toBe(true);
  expect(doMeet(at("process-field-key", "token"), at("process-kill", "profile-2", 60_000))).toBe(true);
  expect(doMeet(at("process-rollout", "*"), at("mongod-freeze", "primary", 60_000))).toBe(false);
});

test("faults meet at one place and time, and links are one place where they share one", () => {
  const cut = (target: string, atMs = 0) => ({ kind: "link-cut" as const, target, atMs, forMs: 0 });
  expect(doMeet(cut("*>nats"), cut("profile-1>nats"))).toBe(true);
  expect(doMeet(cut("*>nats"), cut("profile-1>mongod"))).toBe(false);
  expect(doMeet(cut("*>nats"), cut("*>nats", 4_999))).toBe(true);
  expect(doMeet(cut("*>nats"), cut("*>nats", 5_000))).toBe(false);
});

test("a clock fault of all replicas meets a fault of each of them", () => {
  const clock = (target: string) => ({ kind: "process-clock" as const, target, atMs: 0, forMs: 8_000 });
  const killed = (target: string) => ({ kind: "process-kill" as const, target, atMs: 0, forMs: 0 });
  expect(processesOf("delivery-*")).toEqual(["delivery-1", "delivery-2"]);
  expect(doMeet(clock("delivery-*"), killed("delivery-1"))).toBe(true);
  expect(doMeet(clock("delivery-*"), killed("profile-1"))).toBe(false);
  expect(doMeet(clock("delivery-2"), killed("delivery-1"))).toBe(false);
});
