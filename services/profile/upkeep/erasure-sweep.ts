/** Erases customers whose retention has ended, and finishes interrupted erasures. A failing one does not block the others. */
import { LONG_ROUND_MS } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Deps } from "../deps.ts";
import type { ClosedPosition } from "../record/profile-queries.rules.ts";
import { finishErasure, leaveTombstone } from "./erase-customer.ts";

/** This many slow calls to the document service fit into a round. */
const BATCH = 20;

export function createErasureSweep(deps: Deps): PollLoop {
  const finishInterrupted = createFinisher(deps);
  const endRetention = createRetention(deps);
  return createPollLoop({
    lane: deps.lanes.lane("erasures", LONG_ROUND_MS),
    everyMs: deps.config.erasureSweepMs,
    async round() {
      if (!deps.isMine()) return false;
      const hasMore = await finishInterrupted();
      return (await endRetention()) || hasMore;
    },
    onError: (err) => deps.logger.warn({ err }, "erasures.sweep_failed"),
  });
}

/** A batch per call, each after the previous one. True when there are more. */
function createFinisher(deps: Deps): () => Promise<boolean> {
  let after = "";
  return async () => {
    const page = await deps.erasures.unfinishedAfter(after, BATCH);
    for (const { _id, erased } of page) await attempt(deps, _id, () => finishErasure(deps, _id, erased));
    after = page.length === BATCH ? (page.at(-1)?._id ?? "") : "";
    return after !== "";
  };
}

function createRetention(deps: Deps): () => Promise<boolean> {
  const positions = new Map<string, ClosedPosition>();
  return async () => {
    for (const end of retentionEnds(deps.config, deps.clock.now())) {
      const { verificationStatus, unchangedSince, reason } = end;
      const after = positions.get(verificationStatus) ?? null;
      const page = await deps.erasures.closedBefore(verificationStatus, unchangedSince, after, BATCH);
      for (const profile of page)
        await attempt(deps, profile._id, async () => {
          const erased = await leaveTombstone(deps, profile, { by: "retention", reason });
          if (erased) await finishErasure(deps, profile._id, erased);
        });
      const last = page.length === BATCH ? page.at(-1) : undefined;
      if (last) positions.set(verificationStatus, { _id: last._id, updatedAt: last.updatedAt });
      else positions.delete(verificationStatus);
    }
    return positions.size > 0;
  };
}

const attempt = ({ logger }: Deps, customerId: string, work: () => Promise<void>): Promise<void> =>
  work().catch((err) => logger.warn({ err, customerId }, "customer.erasure_unfinished"));

const DAY_MS = 86_400_000;

/** Customers of these states that have not changed since may be erased. */
export const retentionEnds = (
  {
    retentionRejectedDays,
    retentionApprovedDays,
  }: Pick<Deps["config"], "retentionRejectedDays" | "retentionApprovedDays">,
  nowMs: number,
) =>
  [
    { verificationStatus: "Rejected", days: retentionRejectedDays } as const,
    { verificationStatus: "Approved", days: retentionApprovedDays } as const,
  ]
    .filter(({ days }) => days > 0)
    .map(({ verificationStatus, days }) => ({
      verificationStatus,
      unchangedSince: new Date(nowMs - days * DAY_MS).toISOString(),
      reason: `${verificationStatus} and unchanged for ${days} days`,
    }));
