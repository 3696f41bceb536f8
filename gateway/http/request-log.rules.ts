/** Limits of the request log between two batches: a flood of a partner leaves room for others, successes for failures. */
const MAX_WAITING = 200;
const MAX_OF_PARTNER = 100;
const MAX_SUCCESSES_OF_PARTNER = 50;

export function hasRoom(waiting: number, ofPartner: number, status: number): boolean {
  if (waiting >= MAX_WAITING || ofPartner >= MAX_OF_PARTNER) return false;
  return status >= 400 || ofPartner < MAX_SUCCESSES_OF_PARTNER;
}
