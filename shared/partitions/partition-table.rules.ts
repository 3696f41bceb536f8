/** Owners of partitions, in one document. A process takes unowned partitions and gives away those above its share. */
import { createHash } from "node:crypto";

/** A process; it holds its partitions until this time of the database's clock, unless it renews. */
type Member = { id: string; until: Date };

/** The epoch rises with every change of the owner: work of an earlier epoch is void. */
export type Holding = { holder: string | null; epoch: number };

export type PartitionTable = {
  /** Rises with every change of hands, and when a process comes, or comes back after its lease had ended. */
  version: number;
  at: Date;
  members: Member[];
  holdings: Holding[];
};

/** The same partner is in the same partition everywhere and always. */
export const partitionOf = (partnerId: string, count: number): number =>
  createHash("sha256").update(partnerId).digest().readUInt32BE(0) % count;

export const newHoldings = (count: number): Holding[] =>
  Array.from({ length: count }, () => ({ holder: null, epoch: 0 }));

/**
 * The change that the process should make to the table; null for none. A `patient` process has only just started or come
 * back: it takes free partitions and judges no other process, whose renewals may have failed like its own.
 */
export function settle(table: PartitionTable, me: string, { isPatient = false } = {}): Holding[] | null {
  const living = isPatient ? table.members : table.members.filter(({ until }) => until > table.at);
  const missing = missingToShare(table.holdings, living);
  const isThere = new Set(living.map(({ id }) => id));
  const holdings = table.holdings.map((holding) => {
    const { holder, epoch } = holding;
    const isFree = holder === null || (!isPatient && !isThere.has(holder));
    if (isFree) return takeOne(missing, me) ? { holder: me, epoch: epoch + 1 } : holding;
    if (holder !== me || isPatient || lacking(missing, me) >= 0) return holding;
    const heir = neediest(missing);
    return heir !== null && giveOne(missing, me, heir) ? { holder: heir, epoch: epoch + 1 } : holding;
  });
  const isSame =
    living.length === table.members.length && holdings.every((each, p) => each === table.holdings[p]);
  return isSame ? null : holdings;
}

/** Gives every partition to another process, or to none. */
export function leave(table: PartitionTable, me: string): Holding[] {
  const members = table.members.filter(({ id, until }) => id !== me && until > table.at);
  const missing = missingToShare(table.holdings, members);
  return table.holdings.map((holding) => {
    if (holding.holder !== me) return holding;
    const holder = neediest(missing);
    if (holder !== null) takeOne(missing, holder);
    return { holder, epoch: holding.epoch + 1 };
  });
}

/** Time until the first lease of another process ends unless it is renewed. */
export function firstEndMs({ members, at }: PartitionTable, me: string): number {
  const ends = members.filter(({ id }) => id !== me).map(({ until }) => until.getTime() - at.getTime());
  return Math.min(Number.POSITIVE_INFINITY, ...ends.filter((left) => left > 0));
}

export const heldBy = (holdings: readonly Holding[], id: string): number[] =>
  holdings.flatMap(({ holder }, partition) => (holder === id ? [partition] : []));

export function countUnheld({ holdings, members, at }: PartitionTable): number {
  const living = new Set(members.filter(({ until }) => until > at).map(({ id }) => id));
  return holdings.filter(({ holder }) => holder === null || !living.has(holder)).length;
}

/** Missing partitions per process; below zero it has too many. The shares differ by one at most and add up to all. */
function missingToShare(holdings: readonly Holding[], members: readonly Member[]): Map<string, number> {
  const ids = members.map(({ id }) => id).sort();
  const least = Math.floor(holdings.length / Math.max(1, ids.length));
  const withOneMore = holdings.length - least * ids.length;
  return new Map(
    ids.map((id, rank) => [id, least + (rank < withOneMore ? 1 : 0) - heldBy(holdings, id).length]),
  );
}

/** A process that is no member has no share. */
const lacking = (missing: ReadonlyMap<string, number>, id: string): number => missing.get(id) ?? 0;

function takeOne(missing: Map<string, number>, id: string): boolean {
  const left = lacking(missing, id);
  if (left > 0) missing.set(id, left - 1);
  return left > 0;
}

function giveOne(missing: Map<string, number>, from: string, to: string): boolean {
  missing.set(from, lacking(missing, from) + 1);
  return takeOne(missing, to);
}

function neediest(missing: ReadonlyMap<string, number>): string | null {
  const [first = null] = [...missing].sort(([, a], [, b]) => b - a);
  return first && first[1] > 0 ? first[0] : null;
}
