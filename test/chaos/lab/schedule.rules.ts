/** The faults of a round, drawn from a seed: the same seed and kinds give the same schedule. */
import type { Random } from "../seeded-random.ts";
import { FAULT_KINDS, type Fault, type FaultKind, linksOf } from "./faults.rules.ts";

/** A single fault shows how the system recovers from it; several at once find what nobody thought of. */
const SINGLE_SHARE = 0.4;
const RECIPE_SHARE = 0.15;
const MOST_AT_ONCE = 5;
const FIRST_AT_MS = 1_500;
const LAST_AT_MS = 9_000;

/** Together they once did harm that neither does alone. */
const RECIPES: readonly (readonly [FaultKind, string][])[] = [
  [
    ["receiver-gone", "receiver"],
    ["link-hold", "delivery-*>nats"],
  ],
  [
    ["link-cut-often", "*>mongod"],
    ["link-cut-often", "*>nats"],
  ],
  [
    ["broker-roll-back", "nats"],
    ["process-kill", "delivery-1"],
  ],
];

export function drawSchedule(random: Random, kinds: readonly FaultKind[]): Fault[] {
  const recipes = RECIPES.filter((recipe) => recipe.every(([kind]) => kinds.includes(kind)));
  if (recipes.length > 0 && random.next() < RECIPE_SHARE)
    return inOrder(pick(random, recipes).map(([kind, target]) => drawFault(random, kind, target)));
  const count = random.next() < SINGLE_SHARE ? 1 : random.between(2, MOST_AT_ONCE);
  const drawn: Fault[] = [];
  for (let i = 0; i < count; i += 1) {
    const kind = pick(random, kinds);
    const fault = drawFault(random, kind, pick(random, FAULT_KINDS[kind].targets));
    if (!drawn.some((other) => isSamePlace(other, fault))) drawn.push(fault);
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

/** One fault would end the other: of each server, process, link and receiver only one is drawn. */
export function isSamePlace(one: Fault, other: Fault): boolean {
  const [a, b] = [FAULT_KINDS[one.kind].family, FAULT_KINDS[other.kind].family];
  if (a !== b) return false;
  if (a === "link") return linksOf(one.target).some((link) => linksOf(other.target).includes(link));
  return a === "broker" || one.target === other.target;
}

const pick = <T>(random: Random, items: readonly T[]): T => items[random.between(0, items.length - 1)] as T;

const inOrder = (faults: readonly Fault[]): Fault[] => faults.toSorted((a, b) => a.atMs - b.atMs);
