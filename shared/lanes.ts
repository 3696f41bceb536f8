/**
 * The lanes of a process: work of which one piece must end before the next begins. A piece that does not end in time is
 * abandoned, so that its lane goes on; what it still does later is fenced or idempotent. A lane that is abandoned again
 * and again needs a new process.
 */
import { withDeadline } from "./deadline.ts";
import { unavailable } from "./errors.ts";

/** Rejects with Service.Unavailable when the work is abandoned. */
export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

export type Lanes = {
  lane(name: string, withinMs?: number): Lane;
  /** Lanes of which the last piece was abandoned. */
  late(): string[];
  /** Lanes that do not move by themselves any more. */
  stuck(): string[];
};

/** Several operations with their own deadlines, one after the other. */
const WITHIN_MS = 45_000;
/** For a round that works through a backlog. */
export const LONG_ROUND_MS = 10 * 60_000;
/** Consecutive pieces of work that did not end. */
const STUCK_AFTER = 3;

/** For what has no process around it: nothing is abandoned. */
export const freeLane: Lane = (work) => work();
export const noLanes: Pick<Lanes, "lane"> = { lane: () => freeLane };

type Options = {
  /** How often in a row this lane was abandoned; from the second time on it is no news. */
  onAbandoned(lane: { name: string; withinMs: number; times: number }): void;
};

export function createLanes({ onAbandoned }: Options): Lanes {
  const abandoned = new Map<string, number>();

  function abandon(name: string, withinMs: number): Error {
    const times = (abandoned.get(name) ?? 0) + 1;
    abandoned.set(name, times);
    onAbandoned({ name, withinMs, times });
    return unavailable("A part of the service");
  }

  const abandonedAtLeast = (bound: number): string[] =>
    [...abandoned].filter(([, times]) => times >= bound).map(([name]) => name);

  return {
    lane: (name, withinMs = WITHIN_MS) => {
      abandoned.set(name, 0);
      return async (work) => {
        const isMoving = () => abandoned.set(name, 0);
        const started = work();
        started.then(isMoving, isMoving);
        return withDeadline(started, withinMs, () => abandon(name, withinMs));
      };
    },
    late: () => abandonedAtLeast(1),
    stuck: () => abandonedAtLeast(STUCK_AFTER),
  };
}
