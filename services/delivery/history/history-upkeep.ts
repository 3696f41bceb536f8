/** Keeps the history cheap to count. */
import { type Lanes, LONG_ROUND_MS } from "../../../shared/lanes.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { type TallyRepository, tallyRepository } from "./tally.repository.ts";

type Deps = {
  mongo: Mongo;
  /** Sending comes first: while attempts are made this goes slowly. */
  isBusy(): boolean;
  /** One process does it for all. */
  isMine(): boolean;
  logger: Logger;
  lanes: Pick<Lanes, "lane">;
};

/** One step of the work; answers whether there may be more at once. What a stop leaves is for the next start. */
type UpkeepRound = (isStopping: () => boolean) => Promise<boolean>;

const TALLY_EVERY_MS = 60_000;
const STEP_PAUSE_MS = 100;
const BUSY_STEP_PAUSE_MS = 1_000;
const TALLIED_PER_STEP = 500;
/** So many a total counts one by one; below, tallies are not worth their writes. */
const LEFT_UNCOUNTED = 200;

export const createHistoryUpkeep = ({
  mongo,
  isBusy,
  isMine,
  logger,
  lanes,
}: Deps): Pick<PollLoop, "start" | "stop"> => {
  const tally = createTallying({ tallies: tallyRepository(mongo.connection) });
  return createPollLoop({
    lane: lanes.lane("tallies", LONG_ROUND_MS),
    round: async (isStopping) => isMine() && tally(isStopping),
    everyMs: TALLY_EVERY_MS,
    busyPauseMs: () => (isBusy() ? BUSY_STEP_PAUSE_MS : STEP_PAUSE_MS),
    onError: (err) => logger.warn({ err }, "history.upkeep_failed"),
  });
};

/** Each round counts a step of one partner, in turn. */
export function createTallying({ tallies }: { tallies: TallyRepository }): UpkeepRound {
  const enough = LEFT_UNCOUNTED + TALLIED_PER_STEP;
  let partners: string[] = [];
  return async (isStopping) => {
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
