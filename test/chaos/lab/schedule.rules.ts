/** The faults of a round, drawn from a seed: the same seed and kinds give the same schedule. */
import { type Random, seededRandom } from "../seeded-random.ts";
import {
  FAULT_KINDS,
  type Fault,
  type FaultKind,
  linksOf,
  processesOf,
  type StageKind,
  wayOf,
} from "./faults.rules.ts";

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

const fault = (kind: FaultKind, target: string, atMs: number, forMs = 0): Fault => ({
  kind,
  target,
  atMs,
  forMs,
});
const busy = (...faults: Fault[]): Recipe => ({ isCalm: false, faults });

/** Together and in this order they once did harm that none does alone. */
const RECIPES: readonly Recipe[] = [
  // Entries that nobody can read, and then events that only the sweep brings.
  busy(fault("outbox-damage", "profile", 2_500), fault("process-kill", "profile-1", 4_000)),
  busy(fault("link-cut-off", "profile-1>mongod", 1_500, 20_000)),
  // The places of events in the feed, and the times of their webhooks, while no two clocks agree.
  busy(fault("process-clock", "delivery-*", 2_000, 14_000)),
  // The endpoint is registered again while delivery cannot hear of it, and then cannot ask either; on a busy machine
  // registering takes two seconds.
  busy(
    fault("receiver-gone", "receiver", 1_500, 5_000),
    fault("link-refuse", "delivery-*>nats", 5_500, 4_500),
    fault("link-refuse", "webhook-registry-*>nats", 9_000, 8_000),
  ),
  busy(fault("link-cut-often", "*>nats", 2_500, 3_000), fault("link-cut-often", "*>mongod", 4_500, 5_000)),
  // Answers that never come, on connections that nobody closed: of those who record and of those who create.
  busy(fault("link-forget", "delivery-*>mongod", 2_500), fault("link-forget", "profile-*>mongod", 5_000)),
  // The attempts under way are lost with both processes, and nobody is left to be handed anything.
  {
    isCalm: true,
    faults: [
      fault("receiver-hang", "receiver", 1_500, 6_000),
      fault("process-kill", "delivery-1", 5_000),
      fault("process-kill", "delivery-2", 5_000),
    ],
  },
  busy(fault("broker-roll-back", "nats", 2_000, 4_000), fault("process-kill", "delivery-1", 5_000)),
  // An upgrade meets a fault of the servers that it needs.
  busy(fault("process-rollout", "*", 1_500), fault("mongod-freeze", "mongod", 9_000, 5_000)),
  busy(fault("process-rollout", "*", 1_500), fault("mongod-stepdown", "primary", 9_000, 6_000)),
  busy(fault("process-rollout", "*", 1_500), fault("broker-quorum", "two-servers", 9_000, 8_000)),
  // Files arrive while their notifications repeat and a reader is lost.
  busy(fault("storage-repeat", "s3", 2_000, 6_000), fault("process-kill", "document-1", 5_000)),
  // Writes of a primary that is alone, by processes of which one is lost before it comes back.
  busy(fault("mongod-partition", "primary", 2_000, 15_000), fault("process-kill", "profile-1", 9_000)),
  busy(fault("mongod-kill", "primary", 2_000, 12_000), fault("broker-kill", "EVENTS-leader", 4_000, 5_000)),
];
const RECIPE_SHIFT_MS = 1_500;
/** A server that was stopped is back by then. */
export const APART_MS = 5_000;

/** Recipes of the given kinds, with targets that the stage has. */
export const recipesOf = (kinds: readonly FaultKind[], stage: StageKind = "single"): readonly Recipe[] =>
  RECIPES.filter(({ faults }) =>
    faults.every(({ kind, target }) => kinds.includes(kind) && wayOf(kind, stage).targets.includes(target)),
  );

export function drawSchedule(
  random: Random,
  kinds: readonly FaultKind[],
  stage: StageKind = "single",
): Schedule {
  const recipes = recipesOf(kinds, stage);
  if (recipes.length > 0 && random.next() < RECIPE_SHARE) {
    const recipe = pick(random, recipes);
    const laterMs = random.between(0, RECIPE_SHIFT_MS);
    const faults = recipe.faults.map((one) => ({ ...one, atMs: one.atMs + laterMs }));
    return { isCalm: recipe.isCalm, faults, recipe };
  }
  const isCalm = random.next() < CALM_SHARE;
  const count = random.next() < SINGLE_SHARE ? 1 : random.between(2, MOST_AT_ONCE);
  const drawn = Array.from({ length: count }, () => pick(random, kinds));
  return { isCalm, faults: drawEach(random, drawn, stage), recipe: null };
}

/** The seed of a round: every other one is a recipe, each in its turn, so that a short run has them all. */
export function seedFor(
  round: number,
  kinds: readonly FaultKind[],
  drawSeed: () => number,
  stage: StageKind = "single",
): number {
  const recipes = recipesOf(kinds, stage);
  if (round % 2 === 1 || recipes.length === 0) return drawSeed();
  const wanted = recipes[(round / 2) % recipes.length];
  for (;;) {
    const seed = drawSeed();
    if (drawSchedule(seededRandom(seed), kinds, stage).recipe === wanted) return seed;
  }
}

/** A fault of each of these kinds, but for those that would meet. */
function drawEach(random: Random, kinds: readonly FaultKind[], stage: StageKind = "single"): Fault[] {
  const drawn: Fault[] = [];
  for (const kind of kinds) {
    const next = drawFault(random, kind, pick(random, wayOf(kind, stage).targets), stage);
    if (!drawn.some((other) => doMeet(other, next))) drawn.push(next);
  }
  return inOrder(drawn);
}

export function drawFault(
  random: Random,
  kind: FaultKind,
  target: string,
  stage: StageKind = "single",
): Fault {
  const atMs = random.between(FIRST_AT_MS, LAST_AT_MS);
  return fault(kind, target, atMs, random.between(...wayOf(kind, stage).forMs));
}

/** They restart processes one after the other, and nobody knows when they end. */
const ROLLS: readonly FaultKind[] = ["process-rollout", "process-field-key", "process-user"];

/** At one place and time one fault would end the other. */
export function doMeet(one: Fault, other: Fault): boolean {
  const isBefore = (a: Fault, b: Fault) => !ROLLS.includes(a.kind) && a.atMs + a.forMs + APART_MS <= b.atMs;
  return isSamePlace(one, other) && !isBefore(one, other) && !isBefore(other, one);
}

function isSamePlace(one: Fault, other: Fault): boolean {
  const [a, b] = [FAULT_KINDS[one.kind].family, FAULT_KINDS[other.kind].family];
  if (a !== b) return false;
  if (a === "link") return linksOf(one.target).some((link) => linksOf(other.target).some(isPartOf(link)));
  if (a === "process")
    return (
      isOfAll(one) ||
      isOfAll(other) ||
      processesOf(one.target).some((name) => processesOf(other.target).includes(name))
    );
  return ONE_PLACE.includes(a) || one.target === other.target;
}

/** A rollout names its processes, a rotation its secret. */
const isOfAll = ({ kind }: Fault) => kind !== "process-rollout" && ROLLS.includes(kind);
/** A role may be that of any server. */
const ONE_PLACE: readonly string[] = ["broker", "mongod", "receiver"];
/** A link to a member is part of the link to the set. */
const isPartOf = (one: string) => (other: string) => one.startsWith(other) || other.startsWith(one);

export const pick = <T>(random: Random, items: readonly T[]): T =>
  items[random.between(0, items.length - 1)] as T;

export const inOrder = (faults: readonly Fault[]): Fault[] => faults.toSorted((a, b) => a.atMs - b.atMs);
