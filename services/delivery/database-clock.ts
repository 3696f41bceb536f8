/** The database's time: processes judge each other's times by it. It goes on by the monotonic clock, not by a wall clock. */
import type { Clock } from "../../shared/clock.ts";

export type DatabaseClock = ReturnType<typeof createDatabaseClock>;

/** The process's own clock counts until the database has named its time; tests move it. */
export function createDatabaseClock(clock: Clock) {
  let ahead: number | null = null;
  return {
    /** The database's time of this moment. */
    set(at: Date): void {
      ahead = at.getTime() - performance.now();
    },
    now(): number {
      if (ahead === null) return clock.now();
      return Math.round(performance.now() + ahead) + (clock.now() - Date.now());
    },
  };
}
