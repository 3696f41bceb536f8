/** The faults of a round, drawn from a seed: the same seed and kinds give the same schedule. */
import { type Random, seededRandom } from "../seeded-random.ts";
import { FAULT_KINDS, type Fault, type FaultKind, linksOf, processesOf } from "./faults.rules.ts";

/** With little to do, what is lost is lost alone, and nothing that comes later takes it along. */
const CALM_SHARE = 0.3;
/** A single fault shows how the system recovers from it; several at once find what nobody thought of. */
const SINGLE_SHARE = 0.4;
const RECIPE_SHARE = 0.25;
const MOST_AT_ONCE = 5;
const FIRST_AT_MS = 1_500;
const LAST_AT_MS = 9_000;

type Recipe = { faults: readonly Fault[]; isCalm: boolean };
export type Schedule = { faults: Fault[]; isCalm: boolean; recipe: Recipe | null };

/** Together and in this order they once did harm that none does alone. */
const RECIPES: readonly Recipe[] = [
  // The endpoint is registered again while delivery cannot hear of it, and then cannot ask either; on a busy machine
  // registering takes two seconds.
  {
    isCalm: false,
    faults: [
      { kind: "receiver-gone", target: "receiver", atMs: 1_500, forMs: 5_000 },
      { kind: "link-refuse", target: "delivery-*>nats", atMs: 5_500, forMs: 4_500 },
      { kind: "link-refuse", target: "webhook-registry-*>nats", atMs: 9_000, forMs: 8_000 },
    ],
  },
  {
    isCalm: false,
    faults: [
      { kind: "link-cut-often", target: "*>nats", atMs: 2_500, forMs: 3_000 },
      { kind: "link-cut-often", target: "*>mongod", atMs: 4_500, forMs: 5_000 },
    ],
  },
  // Answers that never come, on connections that nobody closed: of those who record and of those who create.
  {
    isCalm: false,
    faults: [
      { kind: "link-forget", target: "delivery-*>mongod", atMs: 2_500, forMs: 0 },
      { kind: "link-forget", target: "profile-*>mongod", atMs: 5_000, forMs: 0 },
    ],
  },
  // The attempts under way are lost with both processes, and nobody is left to be handed anything.
  {
    isCalm: true,
    faults: [
      { kind: "receiver-hang", target: "receiver", atMs: 1_500, forMs: 6_000 },
      { kind: "process-kill", target: "delivery-1", atMs: 5_000, forMs: 0 },
      { kind: "process-kill", target: "delivery-2", atMs: 5_000, forMs: 0 },
    ],
  },
  {
    isCalm: false,
    faults: [
      { kind: "broker-roll-back", target: "nats", atMs: 2_000, forMs: 4_000 },
      { kind: "process-kill", target: "delivery-1", atMs: 5_000, forMs: 0 },
    ],
  },
  // Entries that nobody can read, and then events that only the sweep brings.
  {
    isCalm: false,
    faults: [
      { kind: "outbox-damage", target: "profile", atMs: 2_500, forMs: 0 },
      { kind: "process-kill", target: "profile-1", atMs: 4_000, forMs: 0 },
    ],
  },
  {
    isCalm: false,
    faults: [{ kind: "link-cut-off", target: "profile-1>mongod", atMs: 1_500, forMs: 20_000 }],
  },
  // The places of events in the feed, and the times of their webhooks, while no two clocks agree.
  {
    isCalm: false,
    faults: [{ kind: "process-clock", target: "delivery-*", atMs: 2_000, forMs: 14_000 }],
  },
];
const RECIPE_SHIFT_MS = 1_500;
/** A server that was stopped is back by then. */
const APART_MS = 5_000;

const recipesOf = (kinds: readonly FaultKind[]): readonly Recipe[] =>
  RECIPES.filter(({ faults }) => faults.every(({ kind }) => kinds.includes(kind)));

export function drawSchedule(random: Random, kinds: readonly FaultKind[]): Schedule {
  const recipes = recipesOf(kinds);
  if (recipes.length > 0 && random.next() < RECIPE_SHARE) {
    const recipe = pick(random, recipes);
    const laterMs = random.between(0, RECIPE_SHIFT_MS);
    const faults = recipe.faults.map((fault) => ({ ...fault, atMs: fault.atMs + laterMs }));
    return { isCalm: recipe.isCalm, faults, recipe };
  }
  const isCalm = random.next() < CALM_SHARE;
  const count = random.next() < SINGLE_SHARE ? 1 : random.between(2, MOST_AT_ONCE);
  const drawn = Array.from({ length: count }, () => pick(random, kinds));
  return { isCalm, faults: drawEach(random, drawn), recipe: null };
}

/** The seed of a round: every other one is a recipe, each in its turn, so that a short run has them all. */
export function seedFor(round: number, kinds: readonly FaultKind[], drawSeed: () => number): number {
  const recipes = recipesOf(kinds);
  if (round % 2 === 1 || recipes.length === 0) return drawSeed();
  const wanted = recipes[(round / 2) % recipes.length];
  for (;;) {
    const seed = drawSeed();
    if (drawSchedule(seededRandom(seed), kinds).recipe === wanted) return seed;
  }
}

/** A fault of each of these kinds, but for those that would meet. */
export function drawEach(random: Random, kinds: readonly FaultKind[]): Fault[] {
  const drawn: Fault[] = [];
  for (const kind of kinds) {
    const fault = drawFault(random, kind, pick(random, FAULT_KINDS[kind].targets));
    if (!drawn.some((other) => doMeet(other, fault))) drawn.push(fault);
  }
  return inOrder(drawn);
}

function drawFault(random: Random, kind: FaultKind, target: string): Fault {
  const [least, most] = FAULT_KINDS[kind].forMs;
  return {
    kind,
    target,
    atMs: random.between(FIRST_AT_MS, LAST_AT_MS),
    forMs: random.between(least, most),
  };
}

/** At one place and time one fault would end the other. */
export function doMeet(one: Fault, other: Fault): boolean {
  const isBefore = (a: Fault, b: Fault) => a.atMs + a.forMs + APART_MS <= b.atMs;
  return isSamePlace(one, other) && !isBefore(one, other) && !isBefore(other, one);
}

function isSamePlace(one: Fault, other: Fault): boolean {
  const [a, b] = [FAULT_KINDS[one.kind].family, FAULT_KINDS[other.kind].family];
  if (a !== b) return false;
  if (a === "link") return linksOf(one.target).some((link) => linksOf(other.target).includes(link));
  if (a === "process")
    return processesOf(one.target).some((name) => processesOf(other.target).includes(name));
  return a === "broker" || one.target === other.target;
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random.between(0, items.length - 1)] as T;

const inOrder = (faults: readonly Fault[]): Fault[] => faults.toSorted((a, b) => a.atMs - b.atMs);
