/** Many records at once, and which they are. */

export const idsOf = (records: readonly { _id: string }[]): string[] => records.map(({ _id }) => _id);

export const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
