/**
 * The database's time, as every process has it: schedules and pauses of one process are judged by another. It goes on by
 * the monotonic clock, so a wall clock that is off or set meanwhile changes nothing.
 */
import type { Clock } from "../../shared/clock.ts";

export type DatabaseClock = Clock & {
  /** The database's time of this moment. */
  set(at: Date): void;
};

type Sources = {
  /** Until the database has named its time; tests move it. */
  clock: Clock;
  wall?: Clock;
  monotonic?: Clock;
};

export function createDatabaseClock({
  clock,
  wall = { now: () => Date.now() },
  monotonic = performance,
}: Sources): DatabaseClock {
  let ahead: number | null = null;
  return {
    set(at) {
      ahead = at.getTime() - monotonic.now();
    },
    now() {
      if (ahead === null) return clock.now();
      return Math.round(monotonic.now() + ahead) + (clock.now() - wall.now());
    },
  };
}
