/** Bounds reads and writes by `endsAt`, the time of performance.now() at which the caller stops waiting. */
import { withDeadline } from "../../../shared/deadline.ts";
import { outcomeUnknown, unavailable } from "../../../shared/errors.ts";
import { isDatabaseAway } from "../../../shared/mongo/database-away.ts";

/** For a caller that named no end. */
const USUALLY_MS = 2_000;

export const usualEnd = (): number => performance.now() + USUALLY_MS;

/** A read before the write. A late one rejects with Service.Unavailable: nothing is written after it. */
export const readInTime = <T>(answer: Promise<T>, endsAt: number): Promise<T> =>
  withDeadline(answer, endsAt - performance.now(), late);

/** Service.Unavailable: nothing was written. Service.OutcomeUnknown: the database may still carry out the write. */
export async function writeInTime<T>(write: () => Promise<T>, endsAt: number): Promise<T> {
  const leftMs = Math.floor(endsAt - performance.now());
  if (leftMs <= 0) throw late();
  try {
    return await withDeadline(write(), leftMs, outcomeUnknown);
  } catch (error) {
    throw isDatabaseAway(error) ? outcomeUnknown(error) : error;
  }
}

const late = () => unavailable("The database");
