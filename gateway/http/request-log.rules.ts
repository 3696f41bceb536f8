/** Limits and entries of the request log. */
import type { LoggedRequest } from "../../shared/contract/answers/request-log.ts";
import type { Route } from "../route.ts";

/** An answered request of a partner's API client. */
export type Finished = {
  row: Pick<Route, "method">;
  /** Its path as the API document has it. */
  path: string;
  partnerId: string;
  requestId: string;
  failure: { code: string; fields: readonly string[] } | null;
  status: number;
  durationMs: number;
};

/** Between two batches: a flood of one partner leaves room for others, a flood of successes room for failures. */
const MAX_WAITING = 200;
const MAX_OF_PARTNER = 100;
const MAX_SUCCESSES_OF_PARTNER = 50;

export const logged = (
  { row, path, partnerId, requestId, failure, status, durationMs }: Finished,
  { id, at }: Pick<LoggedRequest, "id" | "at">,
): LoggedRequest & { partnerId: string } => ({
  id,
  at,
  partnerId,
  method: row.method,
  route: path,
  status,
  code: failure?.code ?? null,
  fields: failure?.fields ?? [],
  requestId,
  durationMs: Math.round(durationMs),
});

export function hasRoom(waiting: number, ofPartner: number, status: number): boolean {
  if (waiting >= MAX_WAITING || ofPartner >= MAX_OF_PARTNER) return false;
  return status >= 400 || ofPartner < MAX_SUCCESSES_OF_PARTNER;
}
