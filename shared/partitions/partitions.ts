/**
 * The partitions this process holds. Work of a partition is done by its holder alone; the lease ends by itself when the
 * process dies, and earlier by its own clock than by the database's, so that two never hold the same.
 */
import type { Lanes } from "../lanes.ts";
import { isDuplicateKey } from "../mongo/mongo.ts";
import { createPollLoop } from "../poll-loop.ts";
import { retry } from "../retry.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import type { PartitionTableRepository } from "./partition-table.repository.ts";
import {
  countUnheld,
  firstEndMs,
  type Holding,
  heldBy,
  leave,
  type PartitionTable,
  settle,
} from "./partition-table.rules.ts";

export type Partitions = {
  /** The epoch in which this process holds the partition; null when it does not. */
  epoch(partition: number): number | null;
  held(): number[];
  /** Who holds it, as far as is known here; what was true a moment ago. */
  holder(partition: number): string | null;
  /** Whether nobody may know what this process holds: there is no other, or others have yet to hear of what it gained. */
  isUntold(): boolean;
  /** When the database last confirmed what this process holds, by its own clock. */
  renewedAt(): number;
  /** Resolves when the first look is done, and what it gave is prepared. */
  start(): Promise<void>;
  /** Looks now: something may have been given to this process. */
  wake(): void;
  /** Gives everything away. */
  stop(): Promise<void>;
};

type Deps = {
  table: PartitionTableRepository;
  me: string;
  count: number;
  leaseMs: number;
  /** Before work of these partitions begins, again after a fault; `orphaned` are those whose holder died. */
  prepare(gained: readonly number[], orphaned: readonly number[]): Promise<void>;
  /** The database's time, with each renewal. */
  onRenewed?(at: Date): void;
  /** Work of more partitions begins. */
  onHeld(): void;
  /** Partitions were given to these processes. */
  onGiven(heirs: readonly string[]): void;
  lanes: Pick<Lanes, "lane">;
  logger: Logger;
  metrics: Pick<Metrics, "set">;
  /** A clock that is never set back. */
  nowMs?(): number;
};

/** A lease survives so many renewals that fail. */
const RENEWALS_PER_LEASE = 3;
/** The database compares at its own time, in milliseconds. */
const AFTER_END_MS = 10;
/** Whoever lives has looked at the table by then. */
const HEARD_LEASES = 2;
/** Others change the table meanwhile, or make it: tried again at once, for this long. */
const CONFLICT_WAIT_MS = 50;
const CONFLICTS = { firstWaitMs: CONFLICT_WAIT_MS, withinMs: 2_000 };
const CONFLICT = new Error("The partitions changed hands meanwhile.");

export function createPartitions(deps: Deps): Partitions {
  const { me, count, leaseMs, logger, nowMs = () => performance.now() } = deps;
  const epochs = new Map<number, number>();
  /** Taken and not yet prepared. */
  const orphaned = new Set<number>();
  const preparing = new Map<number, Promise<void>>();
  let known: PartitionTable | null = null;
  let validUntil = Number.NEGATIVE_INFINITY;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let gainedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  async function renew(): Promise<PartitionTable> {
    const askedAt = nowMs();
    const table = await deps.table.renew(me, leaseMs);
    if (table.holdings.length !== count) throw new Error(wrongCount(count, table.holdings.length));
    // What another took meanwhile is forgotten before the lease counts again.
    learn(table);
    validUntil = askedAt + leaseMs;
    renewedAt = nowMs();
    deps.onRenewed?.(table.at);
    return table;
  }

  function learn(table: PartitionTable): void {
    known = table;
    for (const [partition, epoch] of epochs) if (!isMine(partition, epoch)) epochs.delete(partition);
  }

  async function look(): Promise<boolean> {
    const isPatient = nowMs() >= validUntil;
    const table = await renew();
    const wanted = settle(table, me, { isPatient });
    if (wanted && !(await change(table, wanted))) return true;
    const holdings = wanted ?? table.holdings;
    adopt(holdings);
    deps.metrics.set("pbo_partitions_unheld", countUnheld({ ...table, holdings }));
    return wanted !== null;
  }

  async function change(table: PartitionTable, holdings: Holding[]): Promise<boolean> {
    // Whoever left them to nobody ends by itself what it has under way.
    const taken = heldBy(holdings, me).filter((partition) => {
      const last = table.holdings[partition]?.holder ?? null;
      return last !== me && last !== null;
    });
    // Before they are another's.
    for (const partition of epochs.keys()) if (holdings[partition]?.holder !== me) epochs.delete(partition);
    // Also when the answer is lost.
    for (const partition of taken) orphaned.add(partition);
    if (await deps.table.change(table.version, holdings)) {
      learn({ ...table, holdings });
      tellHeirs(table, holdings);
      return true;
    }
    for (const partition of taken) orphaned.delete(partition);
    return false;
  }

  /** Begins what has become this process's. */
  function adopt(holdings: readonly Holding[]): void {
    const gained = heldBy(holdings, me)
      .map((partition) => ({ partition, epoch: holdings[partition]?.epoch ?? 0 }))
      .filter(({ partition }) => !epochs.has(partition) && !preparing.has(partition));
    if (gained.length === 0) return;
    // Beside the renewals, which must not wait for it.
    const prepared = begin(gained).finally(() => {
      for (const { partition } of gained) preparing.delete(partition);
    });
    for (const { partition } of gained) preparing.set(partition, prepared);
  }

  async function begin(gained: readonly { partition: number; epoch: number }[]): Promise<void> {
    const partitions = gained.map(({ partition }) => partition);
    try {
      await deps.prepare(
        partitions,
        partitions.filter((partition) => orphaned.has(partition)),
      );
    } catch (err) {
      logger.warn({ err, partitions: gained.length }, "partitions.not_prepared");
      return;
    }
    for (const { partition, epoch } of gained) {
      orphaned.delete(partition);
      if (isMine(partition, epoch)) epochs.set(partition, epoch);
    }
    gainedAt = nowMs();
    deps.onHeld();
    logger.info({ gained: gained.length, held: epochs.size }, "partitions.held");
  }

  function isMine(partition: number, epoch: number): boolean {
    const holding = known?.holdings[partition];
    return holding?.holder === me && holding.epoch === epoch;
  }

  function tellHeirs(before: PartitionTable, after: readonly Holding[]): void {
    const given = heldBy(before.holdings, me).map((partition) => after[partition]?.holder ?? me);
    const heirs = [...new Set(given)].filter((holder) => holder !== me);
    if (heirs.length > 0) deps.onGiven(heirs);
  }

  async function giveAway(): Promise<void> {
    const table = await renew();
    const after = leave(table, me);
    if (!(await deps.table.change(table.version, after, me))) throw CONFLICT;
    learn({ ...table, holdings: after });
    tellHeirs(table, after);
  }

  let isUnsettled = true;
  let wakes = 0;
  const loop = createPollLoop({
    lane: deps.lanes.lane("partitions"),
    async round() {
      const before = wakes;
      isUnsettled = (await look()) || wakes !== before;
      return true;
    },
    // As often when a round takes long: that is when the lease runs out.
    busyPauseMs: () =>
      isUnsettled ? CONFLICT_WAIT_MS : Math.min(leaseMs / RENEWALS_PER_LEASE, untilEndMs()),
    everyMs: leaseMs / RENEWALS_PER_LEASE,
    onError: (err) => logger.warn({ err }, "partitions.not_renewed"),
  });
  /** Until another process loses what it holds, unless it renews: that is when to take it. */
  function untilEndMs(): number {
    if (!known) return Number.POSITIVE_INFINITY;
    return Math.max(0, firstEndMs(known, me) - (nowMs() - renewedAt)) + AFTER_END_MS;
  }
  const isHeld = () => !isStopped && nowMs() < validUntil;

  return {
    epoch: (partition) => (isHeld() ? (epochs.get(partition) ?? null) : null),
    held: () => (isHeld() ? [...epochs.keys()] : []),
    holder: (partition) => known?.holdings[partition]?.holder ?? null,
    isUntold: () => known?.members.length === 1 || nowMs() - gainedAt < HEARD_LEASES * leaseMs,
    renewedAt: () => renewedAt,
    async start() {
      isStopped = false;
      // Of two that find no table, one is told that it is there.
      await retry(look, { ...CONFLICTS, isPassing: isDuplicateKey });
      await Promise.all(preparing.values());
      loop.start(CONFLICT_WAIT_MS);
    },
    wake() {
      wakes += 1;
      loop.wake();
    },
    async stop() {
      isStopped = true;
      await loop.stop();
      // What cannot be given away ends with its lease.
      await retry(giveAway, { ...CONFLICTS, isPassing: (error) => error === CONFLICT }).catch((err) =>
        logger.warn({ err }, "partitions.not_given_away"),
      );
      epochs.clear();
    },
  };
}

const wrongCount = (wanted: number, there: number): string =>
  `This installation was made with ${there} partitions and keeps them; ${wanted} are set.`;
