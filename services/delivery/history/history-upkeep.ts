/** Keeps the history cheap to count and no longer than it may be. */
import type { Clock } from "../../../shared/clock.ts";
import { lowestIdAt } from "../../../shared/ids.ts";
import { type Lanes, LONG_ROUND_MS } from "../../../shared/lanes.ts";
import type { Mongo } from "../../../shared/mongo/mongo.ts";
import { createPollLoop, type PollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { type RetentionRepository, retentionRepository } from "./retention.repository.ts";
import { EVENT_RETENTION_MS, MAX_DELIVERY_MS, RECORD_RETENTION_MS } from "./retention.rules.ts";
import { type TallyRepository, tallyRepository } from "./tally.repository.ts";

type Deps = {
  mongo: Mongo;
  /** Sending comes first: while attempts are made this goes slowly. */
  isBusy(): boolean;
  clock: Clock;
  logger: Logger;
  lanes: Pick<Lanes, "lane">;
};

/** One step of the work; answers whether there may be more at once. What a stop leaves is for the next start. */
export type UpkeepRound = (isStopping: () => boolean) => Promise<boolean>;

const TALLY_EVERY_MS = 60_000;
const PURGE_EVERY_MS = 60 * 60_000;
const STEP_PAUSE_MS = 100;
const BUSY_STEP_PAUSE_MS = 1_000;
const PER_STEP = 1_000;
const TALLIED_PER_STEP = 500;
/** So many a total counts one by one; below, tallies are not worth their writes. */
const LEFT_UNCOUNTED = 200;

export function createHistoryUpkeep({
  mongo,
  isBusy,
  clock,
  logger,
  lanes,
}: Deps): Pick<PollLoop, "start" | "stop"> {
  const tallies = tallyRepository(mongo.connection);
  const retention = retentionRepository(mongo.connection);
  const options = {
    busyPauseMs: () => (isBusy() ? BUSY_STEP_PAUSE_MS : STEP_PAUSE_MS),
    onError: (err: unknown) => logger.warn({ err }, "history.upkeep_failed"),
  };
  const loops = [
    createPollLoop({
      lane: lanes.lane("tallies", LONG_ROUND_MS),
      round: createTallying({ tallies }),
      everyMs: TALLY_EVERY_MS,
      ...options,
    }),
    createPollLoop({
      lane: lanes.lane("purge", LONG_ROUND_MS),
      round: createPurge({ tallies, retention, clock }),
      everyMs: PURGE_EVERY_MS,
      ...options,
    }),
  ];
  return {
    start() {
      for (const loop of loops) loop.start();
    },
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

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

export type PurgeDeps = { tallies: TallyRepository; retention: RetentionRepository; clock: Clock };

/** Each round deletes a step of old records, and empties every event that is too old to be replayed. */
export function createPurge({ tallies, retention, clock }: PurgeDeps): UpkeepRound {
  let emptiedUntil = "";
  return async (isStopping) => {
    const now = clock.now();
    const recordsBefore = lowestIdAt(now - RECORD_RETENTION_MS);
    const deliveries = await tallies.purge(recordsBefore, PER_STEP);
    const events = await retention.deleteEvents(recordsBefore, PER_STEP);
    const eventsBefore = lowestIdAt(now - EVENT_RETENTION_MS);
    let cursor: string | null = emptiedUntil;
    while (cursor !== null && !isStopping())
      cursor = await retention.emptyEvents(cursor, eventsBefore, PER_STEP);
    if (cursor === null) emptiedUntil = lowestIdAt(now - EVENT_RETENTION_MS - MAX_DELIVERY_MS);
    return deliveries + events > 0;
  };
}
