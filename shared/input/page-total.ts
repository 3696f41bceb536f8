/** Total of a list: the count and the page are read at different moments, so a page that shows the end decides. */
export type NumberedPage = { page: number; pageSize: number };

export function pageTotal({ page, pageSize }: NumberedPage, found: number, counted: number): number {
  const before = (page - 1) * pageSize;
  const showsTheEnd = found < pageSize && (found > 0 || page === 1);
  if (showsTheEnd) return before + found;
  return found > 0 ? Math.max(counted, before + found) : Math.min(counted, before);
}
