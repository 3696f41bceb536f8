/** The faults of the laboratory's short form: the same kinds every day, at other places and times, and none is dropped. */
import { PROCESS_NAMES } from "../../../deploy/local/services/service-env.ts";
import type { Random } from "../seeded-random.ts";
import { FAULT_KINDS, type Fault, type FaultKind, LAB_PROCESSES, wayOf } from "./faults.rules.ts";
import { APART_MS, doMeet, drawFault, inOrder, pick } from "./schedule.rules.ts";

/** More than one fault of every other family; npm run chaos has all kinds. */
const OTHER_KINDS = ["link-refuse", "link-delay", "broker-wipe", "mongod-kill", "receiver-500"] as const;
/** Far more than any schedule needs. */
const MOST_DRAWS = 1_000;

/** The date in UTC as a number: 20261119. */
export const seedOfDay = (at: Date): number => Number(at.toISOString().slice(0, 10).replaceAll("-", ""));

/** Kills a process of each kind, freezes another, cuts a connection of a delivery process that lives, and holds one. */
export function drawDaily(random: Random): Fault[] {
  const killed = PROCESS_NAMES.map((name) => `${name}-${random.between(1, 2)}`);
  const alive = LAB_PROCESSES.filter((name) => !killed.includes(name));
  const [delivery] = alive.filter((name) => name.startsWith("delivery"));
  const [cut = "", held = ""] = random.shuffle([`${delivery}>mongod`, `${delivery}>nats`]);
  const wanted: [FaultKind, readonly string[]][] = [
    ...killed.map((name): [FaultKind, string[]] => ["process-kill", [name]]),
    ["process-freeze", alive],
    ["link-cut", [cut]],
    ["link-hold", [held]],
    ...OTHER_KINDS.map((kind): [FaultKind, readonly string[]] => [kind, wayOf(kind, "single").targets]),
  ];
  const drawn: Fault[] = [];
  for (const [kind, targets] of wanted) drawn.push(drawApart(random, kind, targets, drawn));
  return inOrder(drawn);
}

/** Drawn again until it neither meets another fault nor takes the effect of one away. */
function drawApart(
  random: Random,
  kind: FaultKind,
  targets: readonly string[],
  others: readonly Fault[],
): Fault {
  for (let draws = 0; draws < MOST_DRAWS; draws += 1) {
    const next = drawFault(random, kind, pick(random, targets));
    if (!others.some((other) => doMeet(other, next) || isCutInVain(other, next))) return next;
  }
  throw new Error(`There is no room for ${kind} between ${others.length} other faults.`);
}

/** Whether the server is away when its connection is cut. */
export function isCutInVain(cut: Fault, away: Fault): boolean {
  const server = { broker: "nats", mongod: "mongod" }[FAULT_KINDS[away.kind].family as string];
  if (cut.kind !== "link-cut" || !cut.target.endsWith(`>${server}`)) return false;
  return cut.atMs >= away.atMs && cut.atMs < away.atMs + away.forMs + APART_MS;
}
