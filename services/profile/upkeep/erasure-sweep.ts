/**
 * Erases customers whose retention has ended, and finishes erasures that were interrupted. It reads what is due and nothing
 * else: what it erased is no longer in the index that it reads.
 */
import type { Config } from "../../../shared/config/config.ts";
import { type Lanes, LONG_ROUND_MS } from "../../../shared/lanes.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { ClosedPosition } from "../record/profile-queries.rules.ts";
import { type EraseDeps, finishErasure, leaveTombstone } from "./erase-customer.ts";
import { retentionEnds } from "./retention.rules.ts";

type SweepDeps = EraseDeps & {
  lanes: Pick<Lanes, "lane">;
  config: Pick<Config, "retentionRejectedDays" | "retentionApprovedDays" | "erasureSweepMs">;
};

const BATCH = 100;

export const createErasureSweep = (deps: SweepDeps): PollLoop =>
  createPollLoop({
    lane: deps.lanes.lane("erasures", LONG_ROUND_MS),
    everyMs: deps.config.erasureSweepMs,
    async round(isStopping) {
      await finishInterrupted(deps, isStopping);
      await endRetention(deps, isStopping);
    },
    onError: (err) => deps.logger.warn({ err }, "erasures.sweep_failed"),
  });

async function finishInterrupted(deps: SweepDeps, isStopping: () => boolean): Promise<void> {
  let after = "";
  for (let more = true; more && !isStopping(); ) {
    const page = await deps.erasures.unfinishedAfter(after, BATCH);
    for (const { _id, erased } of page) await attempt(deps, _id, () => finishErasure(deps, _id, erased));
    after = page.at(-1)?._id ?? after;
    more = page.length === BATCH;
  }
}

async function endRetention(deps: SweepDeps, isStopping: () => boolean): Promise<void> {
  for (const { verificationStatus, unchangedSince, reason } of retentionEnds(deps.config, deps.clock.now())) {
    let after: ClosedPosition | null = null;
    for (let more = true; more && !isStopping(); ) {
      const page = await deps.erasures.closedBefore(verificationStatus, unchangedSince, after, BATCH);
      for (const profile of page)
        await attempt(deps, profile._id, async () => {
          const erased = await leaveTombstone(deps, profile, { by: "retention", reason });
          if (erased) await finishErasure(deps, profile._id, erased);
        });
      after = page.at(-1) ?? after;
      more = page.length === BATCH;
    }
  }
}

/** One that fails is no reason to leave out the others; it is due again in the next round. */
const attempt = ({ logger }: SweepDeps, customerId: string, work: () => Promise<void>): Promise<void> =>
  work().catch((err) => logger.warn({ err, customerId }, "customer.erasure_unfinished"));
