/** The total of a list is counted beside the page, at another moment: where the page shows its own end, that counts. */
export type NumberedPage = { page: number; pageSize: number };

export function pageTotal({ page, pageSize }: NumberedPage, found: number, counted: number): number {
  const before = (page - 1) * pageSize;
  const showsTheEnd = found < pageSize && (found > 0 || page === 1);
  if (showsTheEnd) return before + found;
  return found > 0 ? Math.max(counted, before + found) : Math.min(counted, before);
}
