/**
 * Erases customers whose retention has ended, and finishes interrupted erasures. It reads due customers only: an erased
 * customer leaves the index, and a failing one does not block the others.
 */
import type { Config } from "../../../shared/config/config.ts";
import { type Lanes, LONG_ROUND_MS } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { ClosedPosition } from "../record/profile-queries.rules.ts";
import { type EraseDeps, finishErasure, leaveTombstone } from "./erase-customer.ts";
import { retentionEnds } from "./retention.rules.ts";

type SweepDeps = EraseDeps & {
  config: Pick<Config, "retentionRejectedDays" | "retentionApprovedDays" | "erasureSweepMs">;
  lanes: Pick<Lanes, "lane">;
};

/** Calls to the document service that fit into a round, however slow they are. */
const BATCH = 20;

export function createErasureSweep(deps: SweepDeps): PollLoop {
  const finishInterrupted = createFinisher(deps);
  const endRetention = createRetention(deps);
  return createPollLoop({
    lane: deps.lanes.lane("erasures", LONG_ROUND_MS),
    everyMs: deps.config.erasureSweepMs,
    async round() {
      const hasMore = await finishInterrupted();
      return (await endRetention()) || hasMore;
    },
    onError: (err) => deps.logger.warn({ err }, "erasures.sweep_failed"),
  });
}

/** A batch a call, each behind the one before; true when there are more. */
function createFinisher(deps: SweepDeps): () => Promise<boolean> {
  let after = "";
  return async () => {
    const page = await deps.erasures.unfinishedAfter(after, BATCH);
    for (const { _id, erased } of page) await attempt(deps, _id, () => finishErasure(deps, _id, erased));
    after = page.length === BATCH ? (page.at(-1)?._id ?? "") : "";
    return after !== "";
  };
}

/** The same for each state that has a retention. */
function createRetention(deps: SweepDeps): () => Promise<boolean> {
  const positions = new Map<string, ClosedPosition>();
  return async () => {
    for (const { verificationStatus, unchangedSince, reason } of retentionEnds(
      deps.config,
      deps.clock.now(),
    )) {
      const after = positions.get(verificationStatus) ?? null;
      const page = await deps.erasures.closedBefore(verificationStatus, unchangedSince, after, BATCH);
      for (const profile of page)
        await attempt(deps, profile._id, async () => {
          // Null: it was changed since it was read, so it is not due any more.
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

const attempt = ({ logger }: SweepDeps, customerId: string, work: () => Promise<void>): Promise<void> =>
  work().catch((err) => logger.warn({ err, customerId }, "customer.erasure_unfinished"));
