/** Work that runs one piece at a time. A piece without end is abandoned; its later writes are fenced or idempotent. */
import { withDeadline } from "./deadline.ts";
import { unavailable } from "./errors.ts";

/** Rejects with Service.Unavailable when the work is abandoned. */
export type Lane = <T>(work: () => Promise<T>) => Promise<T>;

export type Lanes = ReturnType<typeof createLanes>;

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

export function createLanes({ onAbandoned }: Options) {
  const abandoned = new Map<string, number>();

  function abandon(name: string, withinMs: number): Error {
    const times = (abandoned.get(name) ?? 0) + 1;
    abandoned.set(name, times);
    onAbandoned({ name, withinMs, times });
    return unavailable("A part of the service");
  }

  const abandonedAtLeast = (bound: number) =>
    [...abandoned].filter(([, times]) => times >= bound).map(([name]) => name);

  return {
    lane: (name: string, withinMs = WITHIN_MS): Lane => {
      abandoned.set(name, 0);
      return async (work) => {
        const isMoving = () => abandoned.set(name, 0);
        const started = work();
        started.then(isMoving, isMoving);
        return withDeadline(started, withinMs, () => abandon(name, withinMs));
      };
    },
    /** Lanes whose last piece of work was abandoned. */
    late: () => abandonedAtLeast(1),
    /** Lanes that need a new process. */
    stuck: () => abandonedAtLeast(STUCK_AFTER),
  };
}
