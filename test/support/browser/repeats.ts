/** A journey is repeated only after an expired wait on a machine that the host held up, and only twice a run. */
import type { RunningTime } from "../running-time.ts";

/** Errors of waitFor and of Playwright's own waits. */
const EXPIRED = new Set(["WaitExpired", "TimeoutError"]);

const isExpiredWait = (error: unknown): boolean => error instanceof Error && EXPIRED.has(error.name);

type Attempt = {
  work(): Promise<void>;
  /** Ends what the attempt opened. Answers the problems that it showed; these are never repeated. */
  closeAll(): Promise<string[]>;
  time: Pick<RunningTime, "isStarved">;
};

export function createRepeats(say: (line: string) => void, most: number) {
  let repeated = 0;
  return async ({ work, closeAll, time }: Attempt): Promise<void> => {
    const failure = await work().then(
      () => null,
      (error: unknown) => ({ error }),
    );
    const problems = await closeAll();
    if (problems.length > 0)
      throw new Error(`Problems in the pages: ${problems.join("; ")}`, { cause: failure?.error });
    if (!failure) return;
    if (!isExpiredWait(failure.error) || !time.isStarved()) throw failure.error;
    repeated += 1;
    if (repeated > most)
      throw new Error(`More than ${most} journeys of this run had an expired wait.`, {
        cause: failure.error,
      });
    say(
      `repeated (${repeated} of at most ${most}), because a wait expired while the host held the machine up: ${failure.error}`,
    );
    await work();
  };
}
