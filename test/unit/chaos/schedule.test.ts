import { describe, expect, test } from "@jest/globals";
import {
  ALL_KINDS,
  FAULT_KINDS,
  kindsNamed,
  LAB_LINKS,
  linksOf,
  processesOf,
} from "../../chaos/lab/faults.rules.ts";
import { doMeet, drawSchedule, seedFor } from "../../chaos/lab/schedule.rules.ts";
import { seededRandom } from "../../chaos/seeded-random.ts";

const SEEDS = Array.from({ length: 1_000 }, (_, index) => index);
const draw = (seed: number, kinds = ALL_KINDS) => drawSchedule(seededRandom(seed), kinds).faults;

describe("drawSchedule", () => {
  test("the same seed gives the same faults, another seed others", () => {
    expect(draw(7)).toEqual(draw(7));
    expect(new Set(SEEDS.slice(0, 50).map((seed) => JSON.stringify(draw(seed)))).size).toBe(50);
  });

  test("each fault is of its kind: a target it can be done to, a time within its bounds", () => {
    const odd = SEEDS.flatMap((seed) => draw(seed)).filter(({ kind, target, forMs }) => {
      const { targets, forMs: bounds } = FAULT_KINDS[kind];
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
    expect(kindsOf(drawn.filter(({ length }) => length === 1)).size).toBe(ALL_KINDS.length);
    expect(kindsOf(drawn.filter(({ length }) => length > 1)).size).toBe(ALL_KINDS.length);
  });

  test("faults are drawn from the named kinds only", () => {
    const only = kindsNamed(["broker", "link-cut"]);
    expect(new Set(SEEDS.flatMap((seed) => draw(seed, only)).map(({ kind }) => kind))).toEqual(new Set(only));
  });
});

describe("seedFor", () => {
  const RECIPES = 8;
  const recipesOfRun = (kinds = ALL_KINDS) => {
    const drawSeed = () => Math.floor(Math.random() * 1e9);
    const seeds = SEEDS.slice(0, 2 * RECIPES).map((round) => seedFor(round, kinds, drawSeed));
    return seeds.map((seed) => drawSchedule(seededRandom(seed), kinds).recipe);
  };

  test("sixteen rounds have each of the eight recipes, in every other round", () => {
    const inTurn = recipesOfRun().filter((_, round) => round % 2 === 0);
    expect([new Set(inTurn).size, inTurn.length]).toEqual([RECIPES, RECIPES]);
    expect(inTurn).not.toContain(null);
  });

  test("kinds without a recipe take any seed", () => {
    expect(recipesOfRun(["link-cut"])).toEqual(Array(2 * RECIPES).fill(null));
  });
});

test("a kind that does not exist is a mistake", () => {
  expect(() => kindsNamed(["link", "brokers"])).toThrow("brokers");
});

test("a target with a star means every link it leaves open", () => {
  expect(linksOf("delivery-*>mongod")).toEqual(["delivery-1>mongod", "delivery-2>mongod"]);
  expect(linksOf("*>nats")).toHaveLength(12);
  expect(LAB_LINKS.flatMap(linksOf)).toEqual(LAB_LINKS);
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
