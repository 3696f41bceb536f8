/** Keeps the history cheap to count and no longer than it may be. */
import type { Clock } from "../../../shared/clock.ts";
import type { Mongo } from "../../../shared/mongo.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import { createDueLoop, type DueLoop } from "../due/due-loop.ts";
import { earliestIdAt } from "../records/delivery-id.rules.ts";
import { type RetentionRepository, retentionRepository } from "./retention.repository.ts";
import { EVENT_RETENTION_MS, RECORD_RETENTION_MS } from "./retention.rules.ts";
import { type TallyRepository, tallyRepository } from "./tally.repository.ts";

export type UpkeepPorts = {
  tallies: TallyRepository;
  retention: RetentionRepository;
  clock: Clock;
  /** What is not done then is left to the next start. */
  isStopping(): boolean;
};

type Deps = {
  mongo: Mongo;
  /** Sending comes first: while much is in hand this goes slowly. */
  isBusy(): boolean;
  clock: Clock;
  logger: Logger;
};

const DAY_MS = 24 * 60 * 60_000;
const TALLY_EVERY_MS = 60_000;
const PURGE_EVERY_MS = 60 * 60_000;
const STEP_PAUSE_MS = 100;
const BUSY_STEP_PAUSE_MS = 1_000;
const PER_STEP = 1_000;
const TALLIED_PER_STEP = 500;
/** So many a total counts one by one; below, tallies are not worth their writes. */
const LEFT_UNCOUNTED = 200;
/** An event can be on its way for this long after it expired. */
const LONGEST_DELIVERY_MS = 5 * DAY_MS;

export function createHistoryUpkeep({ mongo, isBusy, clock, logger }: Deps): Pick<DueLoop, "start" | "stop"> {
  const tallies = tallyRepository(mongo.connection);
  const retention = retentionRepository(mongo.connection);
  let isStopping = false;
  const ports = { tallies, retention, clock, isStopping: () => isStopping };
  const pauseMs = () => (isBusy() ? BUSY_STEP_PAUSE_MS : STEP_PAUSE_MS);
  const often = createDueLoop({ round: createTallying(ports), pollMs: TALLY_EVERY_MS, pauseMs, logger });
  const seldom = createDueLoop({ round: createPurge(ports), pollMs: PURGE_EVERY_MS, pauseMs, logger });
  return {
    start() {
      isStopping = false;
      often.start();
      seldom.start();
    },
    async stop() {
      isStopping = true;
      await Promise.all([often.stop(), seldom.stop()]);
    },
  };
}

/** Each round counts a step of one partner, in turn; answers whether there may be more at once. */
export function createTallying({
  tallies,
  isStopping,
}: Pick<UpkeepPorts, "tallies" | "isStopping">): () => Promise<boolean> {
  const enough = LEFT_UNCOUNTED + TALLIED_PER_STEP;
  let partners: string[] = [];
  return async () => {
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

export function createPurge({ tallies, retention, clock, isStopping }: UpkeepPorts): () => Promise<boolean> {
  let emptiedUntil = "";
  return async () => {
    const now = clock.now();
    const recordsBefore = earliestIdAt(now - RECORD_RETENTION_MS);
    const deliveries = await tallies.purge(recordsBefore, PER_STEP);
    const events = await retention.deleteEvents(recordsBefore, PER_STEP);
    const eventsBefore = earliestIdAt(now - EVENT_RETENTION_MS);
    let cursor: string | null = emptiedUntil;
    while (cursor !== null && !isStopping())
      cursor = await retention.emptyEvents(cursor, eventsBefore, PER_STEP);
    if (cursor === null) emptiedUntil = earliestIdAt(now - EVENT_RETENTION_MS - LONGEST_DELIVERY_MS);
    return deliveries + events > 0;
  };
}
