/** Keeps the history cheap to count. */
import { type Lanes, LONG_ROUND_MS } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { TallyRepository } from "./tally.repository.ts";

type Deps = {
  tallies: TallyRepository;
  /** Attempts are being made: the upkeep slows down. */
  isBusy(): boolean;
  /** True in the process that does the upkeep for all. */
  isFirst(): boolean;
  lanes: Pick<Lanes, "lane">;
  logger: Logger;
};

const TALLY_EVERY_MS = 60_000;
const STEP_PAUSE_MS = 100;
const BUSY_STEP_PAUSE_MS = 1_000;
const TALLIED_PER_STEP = 500;
/** A total counts this many one by one: fewer are not worth the writes of a tally. */
const LEFT_UNCOUNTED = 200;

export function createHistoryUpkeep({ tallies, isBusy, isFirst, lanes, logger }: Deps) {
  const tally = createTallying(tallies);
  return createPollLoop({
    lane: lanes.lane("tallies", LONG_ROUND_MS),
    round: async (isStopping) => isFirst() && tally(isStopping),
    everyMs: TALLY_EVERY_MS,
    busyPauseMs: () => (isBusy() ? BUSY_STEP_PAUSE_MS : STEP_PAUSE_MS),
    onError: (err) => logger.warn({ err }, "history.upkeep_failed"),
  });
}

/** Each round counts a step of one partner, in turn; answers whether more may follow. The next start continues. */
export function createTallying(tallies: TallyRepository) {
  const enough = LEFT_UNCOUNTED + TALLIED_PER_STEP;
  let partners: string[] = [];
  return async (isStopping: () => boolean): Promise<boolean> => {
    if (partners.length === 0) partners = await tallies.partners();
    while (!isStopping()) {
      const partnerId = partners.shift();
      if (partnerId === undefined) return false;
      if ((await tallies.uncounted(partnerId, enough)) < enough) continue;
      await tallies.count(partnerId, TALLIED_PER_STEP);
      partners.push(partnerId);
      return true;
    }
    return false;
  };
}
