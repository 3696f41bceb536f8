/**
 * The partitions of this process, which alone does their work. A lease ends earlier by the clock of the process than by
 * the database's, so no partition has two owners.
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

export type Partitions = ReturnType<typeof createPartitions>;

type Deps = {
  table: PartitionTableRepository;
  me: string;
  count: number;
  leaseMs: number;
  /** Runs before the work of gained partitions, again after a fault. The owners of the `orphaned` ones died. */
  prepare(gained: readonly number[], orphaned: readonly number[]): Promise<void>;
  /** Receives the database's time with each renewal. */
  onRenewed?(at: Date): void;
  /** Work of more partitions begins. */
  onHeld(): void;
  onGiven(heirs: readonly string[]): void;
  lanes: Pick<Lanes, "lane">;
  logger: Logger;
  metrics: Pick<Metrics, "set">;
  /** A clock that is never set back. */
  nowMs?(): number;
};

/** A lease survives two renewals that fail. */
const RENEWALS_PER_LEASE = 3;
/** The database compares at its own time, in milliseconds. */
const AFTER_END_MS = 10;
/** Every living process has read the table by then. */
const READ_LEASES = 2;
/** Another process has changed or created the table meanwhile: retried for two seconds. */
const CONFLICT_WAIT_MS = 50;
const CONFLICTS = { firstWaitMs: CONFLICT_WAIT_MS, withinMs: 2_000 };
const CONFLICT = new Error("The partitions changed hands meanwhile.");

/** A partition of this process; its work begins when it is prepared. */
type Own = { partition: number; epoch: number; isPrepared: boolean };

export function createPartitions(deps: Deps) {
  const { me, count, leaseMs, logger, nowMs = () => performance.now() } = deps;
  const own = new Map<number, Own>();
  /** Partitions of processes that died, until they are prepared. */
  const orphaned = new Set<number>();
  let preparing = Promise.resolve();
  let known: PartitionTable | null = null;
  let validUntil = Number.NEGATIVE_INFINITY;
  let renewedAt = Number.NEGATIVE_INFINITY;
  let gainedAt = Number.NEGATIVE_INFINITY;
  let isStopped = false;
  /** The table changes: the next reading is due immediately. */
  let isUnsettled = true;

  async function renew(): Promise<PartitionTable> {
    const askedAt = nowMs();
    const table = await deps.table.renew(me, leaseMs);
    if (table.holdings.length !== count) throw new Error(wrongCount(count, table.holdings.length));
    // Partitions that another process took are forgotten before the lease counts again.
    learn(table);
    validUntil = askedAt + leaseMs;
    renewedAt = nowMs();
    deps.onRenewed?.(table.at);
    return table;
  }

  function learn(table: PartitionTable): void {
    known = table;
    for (const [partition, { epoch }] of own) {
      const holding = table.holdings[partition];
      if (holding?.holder !== me || holding.epoch !== epoch) own.delete(partition);
    }
  }

  async function check(): Promise<boolean> {
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
    // An owner that gave its partitions away without an heir ends its own work.
    const taken = heldBy(holdings, me).filter((partition) => {
      const last = table.holdings[partition]?.holder ?? null;
      return last !== me && last !== null;
    });
    // Before they are another's.
    for (const partition of own.keys()) if (holdings[partition]?.holder !== me) own.delete(partition);
    // Also when the answer is lost.
    for (const partition of taken) orphaned.add(partition);
    if (await deps.table.change(table.version, holdings)) {
      learn({ ...table, holdings });
      notifyHeirs(table, holdings);
      return true;
    }
    for (const partition of taken) orphaned.delete(partition);
    return false;
  }

  function adopt(holdings: readonly Holding[]): void {
    const gained = heldBy(holdings, me)
      .filter((partition) => !own.has(partition))
      .map((partition) => ({ partition, epoch: holdings[partition]?.epoch ?? 0, isPrepared: false }));
    for (const each of gained) own.set(each.partition, each);
    // Not awaited: the renewals go on meanwhile.
    if (gained.length > 0) preparing = prepare(gained);
  }

  async function prepare(gained: readonly Own[]): Promise<void> {
    const partitions = gained.map(({ partition }) => partition);
    const fromDead = partitions.filter((partition) => orphaned.has(partition));
    try {
      await deps.prepare(partitions, fromDead);
    } catch (err) {
      logger.warn({ err, partitions: gained.length }, "partitions.not_prepared");
      for (const each of gained) if (own.get(each.partition) === each) own.delete(each.partition);
      return;
    }
    for (const each of gained) {
      orphaned.delete(each.partition);
      each.isPrepared = true;
    }
    gainedAt = nowMs();
    deps.onHeld();
    logger.info({ gained: gained.length, held: own.size }, "partitions.owned");
  }

  function notifyHeirs(before: PartitionTable, after: readonly Holding[]): void {
    const given = heldBy(before.holdings, me).map((partition) => after[partition]?.holder ?? me);
    const heirs = [...new Set(given)].filter((holder) => holder !== me);
    if (heirs.length > 0) deps.onGiven(heirs);
  }

  async function giveAway(): Promise<void> {
    const table = await renew();
    const after = leave(table, me);
    if (!(await deps.table.change(table.version, after, me))) throw CONFLICT;
    learn({ ...table, holdings: after });
    notifyHeirs(table, after);
  }

  const loop = createPollLoop({
    lane: deps.lanes.lane("partitions"),
    async round() {
      isUnsettled = false;
      const hasChanged = await check();
      isUnsettled ||= hasChanged;
      return true;
    },
    // No longer after a slow round: that is when the lease expires.
    busyPauseMs: () =>
      isUnsettled ? CONFLICT_WAIT_MS : Math.min(leaseMs / RENEWALS_PER_LEASE, untilEndMs()),
    everyMs: leaseMs / RENEWALS_PER_LEASE,
    onError: (err) => logger.warn({ err }, "partitions.not_renewed"),
  });
  /** Until the lease of another process ends, unless it renews: then its partitions are free. */
  function untilEndMs(): number {
    if (!known) return Number.POSITIVE_INFINITY;
    return Math.max(0, firstEndMs(known, me) - (nowMs() - renewedAt)) + AFTER_END_MS;
  }
  const isHeld = () => !isStopped && nowMs() < validUntil;

  return {
    /** The epoch in which this process owns the partition; null when it does not. */
    epoch(partition: number): number | null {
      const each = own.get(partition);
      return each?.isPrepared && isHeld() ? each.epoch : null;
    },
    held(): number[] {
      const prepared = [...own.values()].filter(({ isPrepared }) => isPrepared && isHeld());
      return prepared.map(({ partition }) => partition);
    },
    /** The owner as of the last renewal. */
    holder: (partition: number): string | null => known?.holdings[partition]?.holder ?? null,
    /** True while other processes may still route to the previous owner, and while there is no other process. */
    mustPoll: (): boolean => known?.members.length === 1 || nowMs() - gainedAt < READ_LEASES * leaseMs,
    /** When the database last confirmed the lease, by the clock of this process. */
    renewedAt: (): number => renewedAt,
    /** Resolves when the first partitions are prepared. */
    async start(): Promise<void> {
      isStopped = false;
      // If two processes create the table, one gets a duplicate key.
      await retry(check, { ...CONFLICTS, isPassing: isDuplicateKey });
      await preparing;
      loop.start(CONFLICT_WAIT_MS);
    },
    /** Reads the table now: this process may have been given partitions. */
    wake(): void {
      isUnsettled = true;
      loop.wake();
    },
    /** Gives everything away. */
    async stop(): Promise<void> {
      isStopped = true;
      await loop.stop();
      // Partitions that cannot be given away become free when the lease ends.
      await retry(giveAway, { ...CONFLICTS, isPassing: (error) => error === CONFLICT }).catch((err) =>
        logger.warn({ err }, "partitions.not_released"),
      );
      own.clear();
    },
  };
}

const wrongCount = (wanted: number, there: number): string =>
  `This installation was made with ${there} partitions and keeps them; ${wanted} are set.`;
