/** Counting by days: a total is the sum of whole days and of what lies at the edges. */

const DAY_MS = 24 * 60 * 60 * 1_000;

export type Span = { from: Date; before: Date };

export type DaySplit = {
  /** Whole days; null bounds are open. null when the range holds none. */
  days: { from: Date | null; before: Date | null } | null;
  edges: Span[];
};

/** A field name cannot hold a dot. */
export const tallyKey = (status: string, eventType: string): string =>
  `${status}:${eventType.replaceAll(".", "/")}`;

export const dayOf = (time: Date): Date => new Date(Math.floor(time.getTime() / DAY_MS) * DAY_MS);

/** Both ends of the range belong to it. */
export function splitByDays(from: Date | null, to: Date | null): DaySplit {
  const before = to && new Date(to.getTime() + 1);
  const firstDay = from && new Date(Math.ceil(from.getTime() / DAY_MS) * DAY_MS);
  const endOfDays = before && dayOf(before);
  if (from && before && firstDay && endOfDays && firstDay >= endOfDays)
    return { days: null, edges: [{ from, before }] };
  const edges: Span[] = [];
  if (from && firstDay && from < firstDay) edges.push({ from, before: firstDay });
  if (before && endOfDays && endOfDays < before) edges.push({ from: endOfDays, before });
  return { days: { from: firstDay, before: endOfDays }, edges };
}

export function sumCounts(
  counts: readonly Readonly<Record<string, number>>[],
  statuses: readonly string[],
  eventTypes: readonly string[],
): number {
  const keys = statuses.flatMap((status) => eventTypes.map((type) => tallyKey(status, type)));
  return counts.reduce((sum, each) => sum + keys.reduce((part, key) => part + (each[key] ?? 0), 0), 0);
}
