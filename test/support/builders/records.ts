/** Builders of many records, and the times of records. */

export const HOUR_MS = 3_600_000;
export const NOW = new Date("2026-03-01T12:00:00.000Z");
export const later = (ms: number) => new Date(NOW.getTime() + ms);
export const BEFORE = later(-1);

export const idsOf = (records: readonly { _id: string }[]): string[] => records.map(({ _id }) => _id);

export const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
